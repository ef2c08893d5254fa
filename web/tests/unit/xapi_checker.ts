// What the xAPI specification 1.0.3 asks of the statements that can occur here, checked strictly and without regard to how they
// are made. Returns every fault with the path of the property.

type Json = null | boolean | number | string | Json[] | {[name: string]: Json};
type Fault = string;

export function faultsOfStatement(statement: unknown): Fault[] {
  const faults: Fault[] = [];
  const fault = (path: string, what: string): void => void faults.push(`${path}: ${what}`);

  const object = (value: unknown, path: string, required: string[], optional: string[]): Record<string, unknown> => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      fault(path, 'is not an object');
      return {};
    }
    const record = value as Record<string, unknown>;
    for (const name of required) if (!(name in record)) fault(`${path}.${name}`, 'is missing');
    for (const name of Object.keys(record)) {
      if (!required.includes(name) && !optional.includes(name)) fault(`${path}.${name}`, 'is not a property of xAPI');
      if (record[name] === null) fault(`${path}.${name}`, 'is null');
      if (record[name] === undefined) fault(`${path}.${name}`, 'is undefined');
    }
    return record;
  };
  const string = (value: unknown, path: string): string => {
    if (typeof value === 'string') return value;
    fault(path, 'is not a string');
    return '';
  };
  const matches = (value: unknown, path: string, pattern: RegExp, what: string): void => {
    if (!pattern.test(string(value, path))) fault(path, `is not ${what}: ${String(value)}`);
  };
  const uuid = (value: unknown, path: string): void =>
    matches(value, path, /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, 'a UUID');
  const iri = (value: unknown, path: string): void => {
    matches(value, path, /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`\u0000-\u0020]+$/i, 'an IRI');
    if (/%(?![0-9A-Fa-f]{2})/.test(String(value))) fault(path, 'has a stray percent sign');
    if (!URL.canParse(String(value))) fault(path, 'cannot be parsed as an address');
  };
  const languageTag = (value: string, path: string): void =>
    matches(value, path, /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/, 'a language tag');
  const languageMap = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return fault(path, 'is not a language map');
    if (Object.keys(value).length === 0) fault(path, 'is empty');
    for (const [tag, text] of Object.entries(value)) {
      languageTag(tag, `${path}.${tag}`);
      string(text, `${path}.${tag}`);
    }
  };
  const extensions = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return fault(path, 'is not an object');
    for (const name of Object.keys(value)) iri(name, `${path}.${name}`);
  };
  const activity = (value: unknown, path: string): void => {
    const {objectType, id, definition} = object(value, path, ['id'], ['objectType', 'definition']);
    if (objectType !== undefined && objectType !== 'Activity') fault(`${path}.objectType`, 'is not Activity');
    iri(id, `${path}.id`);
    if (definition === undefined) return;
    const known = object(definition, `${path}.definition`, [], ['name', 'description', 'type', 'moreInfo', 'interactionType']);
    if (known.type !== undefined) iri(known.type, `${path}.definition.type`);
    if (known.name !== undefined) languageMap(known.name, `${path}.definition.name`);
    const kinds = [
      'true-false',
      'choice',
      'fill-in',
      'long-fill-in',
      'matching',
      'performance',
      'sequencing',
      'likert',
      'numeric',
      'other',
    ];
    if (known.interactionType !== undefined && !kinds.includes(String(known.interactionType))) {
      fault(`${path}.definition.interactionType`, 'is not a kind of interaction');
    }
  };

  const whole = object(
    statement,
    'statement',
    ['actor', 'verb', 'object'],
    ['id', 'result', 'context', 'timestamp', 'stored', 'authority', 'version', 'attachments'],
  );
  if (whole.id !== undefined) uuid(whole.id, 'id');
  if (whole.version !== undefined) matches(whole.version, 'version', /^1\.0\.\d+$/, 'a version of xAPI');
  if (whole.timestamp !== undefined) {
    const pattern = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
    matches(whole.timestamp, 'timestamp', pattern, 'a timestamp');
  }

  const actor = object(whole.actor, 'actor', ['objectType'], ['name', 'mbox', 'mbox_sha1sum', 'openid', 'account']);
  if (actor.objectType !== 'Agent') fault('actor.objectType', 'is not Agent');
  const identifiers = ['mbox', 'mbox_sha1sum', 'openid', 'account'].filter((name) => name in actor);
  if (identifiers.length !== 1) fault('actor', `has ${identifiers.length} identifiers`);
  if (actor.name !== undefined) string(actor.name, 'actor.name');
  if (actor.mbox !== undefined) matches(actor.mbox, 'actor.mbox', /^mailto:[^@\s]+@[^@\s]+$/, 'a mailbox');
  if (actor.account !== undefined) {
    const account = object(actor.account, 'actor.account', ['homePage', 'name'], []);
    iri(account.homePage, 'actor.account.homePage');
    if (string(account.name, 'actor.account.name') === '') fault('actor.account.name', 'is empty');
  }

  const verb = object(whole.verb, 'verb', ['id'], ['display']);
  iri(verb.id, 'verb.id');
  const adl = ['attempted', 'answered', 'interacted', 'experienced', 'completed', 'mastered', 'passed', 'failed', 'progressed'];
  if (!adl.some((name) => verb.id === `http://adlnet.gov/expapi/verbs/${name}`)) fault('verb.id', 'is not a verb of ADL');
  if (verb.display !== undefined) languageMap(verb.display, 'verb.display');

  activity(whole.object, 'object');

  if (whole.result !== undefined) {
    const result = object(whole.result, 'result', [], ['score', 'success', 'completion', 'response', 'duration', 'extensions']);
    for (const name of ['success', 'completion']) {
      if (name in result && typeof result[name] !== 'boolean') fault(`result.${name}`, 'is not a boolean');
    }
    if (result.response !== undefined) string(result.response, 'result.response');
    const duration = /^P(?=\d|T\d)(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d{1,2})?S)?)?$/;
    if (result.duration !== undefined) matches(result.duration, 'result.duration', duration, 'a duration');
    if (result.extensions !== undefined) extensions(result.extensions, 'result.extensions');
  }

  if (whole.context !== undefined) {
    const names = [
      'registration',
      'instructor',
      'team',
      'contextActivities',
      'revision',
      'platform',
      'language',
      'statement',
      'extensions',
    ];
    const context = object(whole.context, 'context', [], names);
    if (context.registration !== undefined) uuid(context.registration, 'context.registration');
    if (context.platform !== undefined) string(context.platform, 'context.platform');
    if (context.language !== undefined) languageTag(string(context.language, 'context.language'), 'context.language');
    if (context.extensions !== undefined) extensions(context.extensions, 'context.extensions');
    if (context.contextActivities !== undefined) {
      const groups = object(
        context.contextActivities,
        'context.contextActivities',
        [],
        ['parent', 'grouping', 'category', 'other'],
      );
      for (const [name, list] of Object.entries(groups)) {
        const activities: unknown[] = Array.isArray(list) ? (list as Json[]) : [list];
        activities.forEach((one, index) => activity(one, `context.contextActivities.${name}[${index}]`));
      }
    }
  }
  return faults;
}
