// <conpole-tutor problem="2x + 3 = 7">: a tutor to put into any page. A learner writes line by line; every line is checked, and hints
// are given. docs/web-engine.md has the attributes and events.

import {createEngine} from './index.js';
import {randomId, statementOf, StatementSender} from './xapi.js';

const texts = {
  en: {line: 'Your next line', check: 'Check', hint: 'Hint', right: 'Right', wrong: 'Not right', solved: 'Solved', failed: 'That did not work: '},
  de: {line: 'Deine nächste Zeile', check: 'Prüfen', hint: 'Hinweis', right: 'Richtig', wrong: 'Nicht richtig', solved: 'Gelöst', failed: 'Das ging nicht: '},
  es: {line: 'Tu siguiente línea', check: 'Comprobar', hint: 'Pista', right: 'Correcto', wrong: 'No es correcto', solved: 'Resuelto', failed: 'Eso no funcionó: '},
  fr: {line: 'Ta ligne suivante', check: 'Vérifier', hint: 'Indice', right: 'Juste', wrong: 'Pas juste', solved: 'Résolu', failed: 'Cela n’a pas marché : '},
};

const styles = `
  :host { display: block; font: inherit; }
  ol { list-style: none; padding: 0; margin: 0 0 0.5em; }
  li { padding: 0.15em 0; }
  .verdict { margin-inline-start: 1em; opacity: 0.8; }
  form { display: flex; flex-wrap: wrap; gap: 0.5em; align-items: end; }
  label { display: grid; flex: 1 1 12em; }
  input, button { font: inherit; padding: 0.3em 0.6em; }
`;

/** One engine for all elements of a page, unless an element is given its own. */
let shared;
const engineOptions = {};

/** What elements tell record stores, by their addresses: one queue for all elements of a page. */
const senders = new Map();
const visit = randomId();

function senderOf({endpoint, auth}) {
  const key = `conpole.1.statements ${endpoint}`;
  if (!senders.has(key)) {
    const sender = new StatementSender({endpoint, auth, key, storage: ownStorage()});
    addEventListener('online', () => void sender.flush());
    addEventListener('pagehide', () => sender.leave());
    void sender.flush(); // what an earlier visit left
    senders.set(key, sender);
  }
  return senders.get(key);
}

function ownStorage() {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Defines the element. `options` are those of createEngine: where worker, wasm and models are. */
export function defineTutorElement(options = {}, name = 'conpole-tutor') {
  Object.assign(engineOptions, options);
  if (customElements.get(name) === undefined) customElements.define(name, class extends TutorElement {});
}

export class TutorElement extends HTMLElement {
  static observedAttributes = ['problem', 'domain', 'language', 'hints'];
  #isRecorded = false; // whether the store heard that the problem was begun

  /** An engine of the page's own; anything with `check` and `hint`. */
  engine = null;
  /** The record store that hears of everything: {endpoint, auth, actor}. Instead of it, the attribute `lrs` has the endpoint. */
  lrs = null;
  #lines = [];
  #wrong = 0;
  #hints = 0;
  #level = 0;
  #isSolved = false;
  #isBusy = false;
  #start = Date.now();
  #parts = null;

  /** The lines that were accepted so far. */
  get lines() {
    return [...this.#lines];
  }

  connectedCallback() {
    this.#draw();
  }

  attributeChangedCallback(_, before, now) {
    if (this.#parts !== null && before !== now) this.#draw();
  }

  get #language() {
    const language = this.getAttribute('language') ?? 'en';
    return Object.hasOwn(texts, language) ? language : 'en';
  }

  #request(more) {
    const domain = this.getAttribute('domain');
    return {...more, language: this.#language, ...(domain === null ? {} : {domain})};
  }

  async #engine() {
    return this.engine ?? (shared ??= createEngine(engineOptions));
  }

  #draw() {
    const t = texts[this.#language];
    this.#lines = [];
    this.#wrong = this.#hints = this.#level = 0;
    this.#isSolved = this.#isRecorded = false;
    this.#start = Date.now();
    const root = this.shadowRoot ?? this.attachShadow({mode: 'open'});
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    root.adoptedStyleSheets = [sheet]; // a content security policy allows it, unlike a style element
    const make = (tag, properties = {}, ...children) => {
      const element = Object.assign(document.createElement(tag), properties);
      element.append(...children);
      return element;
    };
    const list = make('ol', {}, make('li', {textContent: this.getAttribute('problem') ?? ''}));
    const input = make('input', {type: 'text', autocomplete: 'off', spellcheck: false});
    const hint = make('button', {type: 'button', textContent: t.hint, hidden: this.getAttribute('hints') === 'off'});
    const form = make('form', {}, make('label', {}, t.line, input), make('button', {type: 'submit', textContent: t.check}), hint);
    const said = make('p', {role: 'status'});
    said.setAttribute('aria-live', 'polite');
    form.addEventListener('submit', (event) => (event.preventDefault(), void this.#check()));
    hint.addEventListener('click', () => void this.#hint());
    root.replaceChildren(list, form, said);
    this.#parts = {list, input, form, said};
  }

  /** Runs one request at a time; undefined if it failed, which is said, or if the problem changed meanwhile. */
  async #ask(request) {
    if (this.#isBusy) return undefined;
    const {said, form} = this.#parts;
    this.#isBusy = true;
    try {
      const answer = await request(await this.#engine());
      return this.#parts.form === form ? answer : undefined;
    } catch (error) {
      said.textContent = texts[this.#language].failed + (error?.message ?? String(error));
      return undefined;
    } finally {
      this.#isBusy = false;
    }
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(`conpole-${name}`, {detail, bubbles: true, composed: true}));
  }

  #record(event, details = {}) {
    const endpoint = this.getAttribute('lrs');
    const store = this.lrs ?? (endpoint === null ? null : {endpoint});
    if (store === null) return;
    if (!this.#isRecorded) {
      this.#isRecorded = true;
      this.#record('started');
    }
    const {actor} = store;
    const problem = this.getAttribute('problem') ?? '';
    const domain = this.getAttribute('domain') ?? 'school';
    const entry = {id: randomId(), at: new Date().toISOString(), session: visit, event, domain, problem, language: this.#language, ...details};
    senderOf(store).add(statementOf(entry, visit, {base: location.href, ...(actor === undefined ? {} : {actor})}));
  }

  async #check() {
    const t = texts[this.#language];
    const line = this.#parts.input.value.trim();
    if (line === '' || this.#isSolved) return;
    const problem = this.getAttribute('problem') ?? '';
    const answer = await this.#ask((engine) => engine.check(this.#request({problem, lines: [...this.#lines, line]})));
    const checked = answer?.lines.at(-1);
    if (checked === undefined) return;
    const {list, input, form, said} = this.#parts;
    const isAccepted = checked.correct === true || checked.verdict === 'cannot_tell';
    this.#isSolved = checked.verdict === 'solved';
    const word = this.#isSolved ? t.solved : isAccepted ? t.right : t.wrong;
    said.textContent = `${word}. ${checked.text ?? ''}`;
    if (isAccepted) {
      this.#lines.push(line);
      this.#level = 0;
      input.value = '';
      const item = document.createElement('li');
      const verdict = Object.assign(document.createElement('span'), {className: 'verdict', textContent: word});
      item.append(line, verdict);
      list.append(item);
    } else {
      ++this.#wrong;
    }
    const {verdict, correct, mistake} = checked;
    this.#tell('line', {line, verdict, correct, mistake: mistake ?? null});
    this.#record('line', {line, verdict, ...(correct === null ? {} : {correct}), ...(mistake == null ? {} : {mistake})});
    if (!this.#isSolved) return;
    form.hidden = true;
    const seconds = Math.round((Date.now() - this.#start) / 1000);
    this.#tell('solved', {lines: this.lines, wrong: this.#wrong, hints: this.#hints, seconds});
    this.#record('solved', {helped: this.#hints > 0, seconds});
  }

  async #hint() {
    if (this.#isSolved || this.getAttribute('hints') === 'off') return;
    const level = Math.min(3, this.#level + 1);
    const line = this.#lines.at(-1) ?? this.getAttribute('problem') ?? '';
    const hint = await this.#ask((engine) => engine.hint(this.#request({line, level})));
    if (hint === undefined) return;
    this.#level = level;
    ++this.#hints;
    this.#parts.said.textContent = hint.text;
    this.#tell('hint', {level, text: hint.text});
    this.#record('hint', {hint: level});
  }
}
