// What a learner did as xAPI 1.0.3 statements, with the verbs of ADL, and a sender that brings them to a learning record store. The
// learner is anonymous, a random name on the page's address, unless another actor is given. A statement's id is that of the entry, so
// that a store that gets it twice keeps it once. xapi.d.ts has the types and contracts.

const verbs = {
  started: { name: 'attempted', display: { en: 'attempted', de: 'versuchte', es: 'intentó', fr: 'a essayé' } },
  line: { name: 'answered', display: { en: 'answered', de: 'beantwortete', es: 'respondió', fr: 'a répondu' } },
  hint: { name: 'interacted', display: { en: 'asked for a hint', de: 'bat um einen Hinweis', es: 'pidió una pista', fr: 'a demandé un indice' } },
  solution: { name: 'experienced', display: { en: 'looked at the solution', de: 'sah die Lösung an', es: 'miró la solución', fr: 'a regardé la solution' } },
  solved: { name: 'completed', display: { en: 'completed', de: 'beendete', es: 'terminó', fr: 'a terminé' } },
  mastered: { name: 'mastered', display: { en: 'mastered', de: 'beherrschte', es: 'dominó', fr: 'a maîtrisé' } },
};

export function statementOf(entry, learner, options) {
  const base = options.base.replace(/#.*$/s, '');
  const verb = verbs[entry.event];
  const result = resultOf(entry, base);
  const grouping = groupingOf(entry, base);
  return {
    id: entry.id,
    actor: options.actor ?? { objectType: 'Agent', account: { homePage: base, name: learner } },
    verb: { id: `http://adlnet.gov/expapi/verbs/${verb.name}`, display: verb.display },
    object: entry.event === 'mastered' ? skillActivity(entry.problem, base) : problemActivity(entry, base),
    ...(result === undefined ? {} : { result }),
    context: {
      registration: entry.session,
      platform: 'conpole',
      ...(entry.language === undefined ? {} : { language: entry.language }),
      ...(grouping.length === 0 ? {} : { contextActivities: { grouping } }),
    },
    timestamp: entry.at,
    version: '1.0.3',
  };
}

function resultOf(entry, base) {
  const extensions = {};
  for (const name of ['verdict', 'mistake', 'hint', 'helped', 'level']) {
    if (entry[name] !== undefined) extensions[`${base}#xapi/${name}`] = entry[name];
  }
  const result = {};
  if (entry.event === 'line') {
    if (entry.correct !== undefined) result.success = entry.correct;
    if (entry.line !== undefined) result.response = entry.line;
  }
  if (entry.event === 'solved') result.completion = result.success = true;
  if (entry.seconds !== undefined) result.duration = durationOf(entry.seconds);
  if (Object.keys(extensions).length > 0) result.extensions = extensions;
  return Object.keys(result).length > 0 ? result : undefined;
}

// ISO 8601 in hundredths of a second, which is as exact as xAPI compares.
export function durationOf(seconds) {
  return `PT${Number(Math.min(seconds, 1e9).toFixed(2))}S`;
}

function groupingOf(entry, base) {
  const activities = [];
  if (entry.skill !== undefined && entry.event !== 'mastered') activities.push(skillActivity(entry.skill, base));
  if (entry.set !== undefined) activities.push(activity(base, 'set', [entry.set], 'http://adlnet.gov/expapi/activities/assessment', entry.set));
  return activities;
}

function problemActivity(entry, base) {
  const made = activity(base, 'problem', [entry.domain, entry.problem], 'http://adlnet.gov/expapi/activities/cmi.interaction', entry.problem);
  made.definition.interactionType = 'other';
  return made;
}

function skillActivity(skill, base) {
  return activity(base, 'skill', [skill], 'http://adlnet.gov/expapi/activities/objective', skill);
}

function activity(base, kind, parts, type, name) {
  return { objectType: 'Activity', id: `${base}#xapi/${kind}/${parts.map(encoded).join('/')}`, definition: { type, name: { und: name } } };
}

// Also the signs that encodeURIComponent leaves and an address had better not have, and lone surrogates, which it refuses.
function encoded(part) {
  const wellFormed = part.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
  return encodeURIComponent(wellFormed).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

export function randomId() {
  // randomUUID exists only where the page came over HTTPS or from this machine.
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const batchSize = 50;
const mostWaiting = 5000;
const gatheringPause = 2000; // milliseconds
const longestPause = 300_000;
const keepaliveBytes = 60_000; // what a browser still sends of a page that is left

export class StatementSender {
  #parts;
  #memory = []; // where the browser keeps nothing
  #attempts = 0;
  #isSending = false;
  #isPlanned = false;

  constructor(parts) {
    this.#parts = {
      fetch: (...request) => globalThis.fetch(...request),
      later: (pause, go) => void setTimeout(go, pause),
      onState: () => undefined,
      storage: null,
      key: 'conpole.1.statements',
      ...parts,
      address: `${parts.endpoint.replace(/\/*$/, '')}/statements`,
    };
  }

  get count() {
    return this.#load().length;
  }

  add(statement) {
    this.#save([...this.#load(), statement].slice(-mostWaiting));
    this.#tell('waiting');
    this.#plan(gatheringPause);
  }

  // One request at a time. Statements leave the queue when the store has them, or when it will never take them.
  async flush() {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      let size = batchSize;
      for (let batch = this.#load().slice(0, size); batch.length > 0; batch = this.#load().slice(0, size)) {
        const { status, retryAfter } = await this.#post(batch, false);
        if (status >= 200 && status < 300) {
          this.#remove(batch);
          size = batchSize;
        } else if ([400, 409, 413, 422].includes(status)) {
          // One of them holds up the rest: they are sent alone until it is found. 409 says that the store has it.
          if (batch.length === 1) this.#remove(batch, status === 409 ? null : status);
          size = 1;
        } else {
          this.#tell('later', status);
          this.#plan(Math.max(retryAfter * 1000, Math.min(longestPause, gatheringPause * 2 ** ++this.#attempts)));
          return;
        }
        this.#attempts = 0;
      }
      this.#tell('sent');
    } finally {
      this.#isSending = false;
    }
  }

  // For a page that is being left: what fits is sent once more, and stays in the queue, since nobody hears the answer.
  leave() {
    let batch = this.#load().slice(0, batchSize);
    while (batch.length > 1 && JSON.stringify(batch).length > keepaliveBytes) batch = batch.slice(0, batch.length / 2);
    if (batch.length > 0) void this.#post(batch, true);
  }

  #plan(pause) {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#parts.later(pause, () => {
      this.#isPlanned = false;
      void this.flush();
    });
  }

  async #post(batch, keepalive) {
    const { auth, address } = this.#parts;
    const headers = { 'Content-Type': 'application/json', 'X-Experience-API-Version': '1.0.3', ...(auth ? { Authorization: auth } : {}) };
    try {
      // Cookies of the store are none of our business.
      const response = await this.#parts.fetch(address, { method: 'POST', headers, body: JSON.stringify(batch), keepalive, credentials: 'omit' });
      return { status: response.status, retryAfter: Math.min(Number(response.headers.get('Retry-After')) || 0, longestPause / 1000) };
    } catch {
      return { status: 0, retryAfter: 0 };
    }
  }

  #remove(batch, refused = null) {
    const gone = new Set(batch.map(({ id }) => id));
    this.#save(this.#load().filter(({ id }) => !gone.has(id)));
    if (refused !== null) this.#tell('refused', refused);
  }

  #tell(state, status = 0) {
    this.#parts.onState(state, this.count, status);
  }

  // Read anew every time: other windows of the same page have the same queue.
  #load() {
    try {
      const kept = JSON.parse(this.#parts.storage?.getItem(this.#parts.key) ?? 'null');
      return [...(Array.isArray(kept) ? kept.filter((one) => typeof one?.id === 'string') : []), ...this.#memory];
    } catch {
      return this.#memory;
    }
  }

  #save(waiting) {
    const { storage, key } = this.#parts;
    this.#memory = [];
    try {
      if (storage === null) throw new Error('no storage');
      if (waiting.length === 0) storage.removeItem(key);
      else storage.setItem(key, JSON.stringify(waiting));
    } catch {
      this.#memory = waiting;
      try {
        storage?.removeItem(key);
      } catch {
        // Then nothing was kept there.
      }
    }
  }
}
