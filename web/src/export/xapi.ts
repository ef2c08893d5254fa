// A learner's log as xAPI 1.0.3 statements, with the verbs of ADL. The learner is anonymous: a random name on the page's
// address, unless another actor is given. A statement's id is that of the log's entry, so that a record store that gets a log
// twice keeps each statement once.

import type {LogEntry, LogFile} from './log';

export type LanguageMap = Record<string, string>;

export interface Agent {
  objectType: 'Agent';
  name?: string;
  account?: {homePage: string; name: string};
  mbox?: string;
}

export interface Activity {
  objectType: 'Activity';
  id: string;
  definition: {type: string; name: LanguageMap; interactionType?: 'other'};
}

export interface Statement {
  id: string;
  actor: Agent;
  verb: {id: string; display: LanguageMap};
  object: Activity;
  result?: {
    success?: boolean;
    completion?: boolean;
    response?: string;
    duration?: string;
    extensions?: Record<string, string | number | boolean>;
  };
  context: {
    registration: string;
    platform: string;
    language?: string;
    contextActivities?: {grouping: Activity[]};
  };
  timestamp: string;
  version: '1.0.3';
}

export interface XapiOptions {
  /** Where the page is, without a fragment; activities are named by it. */
  base: string;
  actor?: Agent;
}

const verbs = {
  started: {name: 'attempted', display: {en: 'attempted', de: 'versuchte'}},
  line: {name: 'answered', display: {en: 'answered', de: 'beantwortete'}},
  hint: {name: 'interacted', display: {en: 'asked for a hint', de: 'bat um einen Hinweis'}},
  solution: {name: 'experienced', display: {en: 'looked at the solution', de: 'sah die Lösung an'}},
  solved: {name: 'completed', display: {en: 'completed', de: 'beendete'}},
  mastered: {name: 'mastered', display: {en: 'mastered', de: 'beherrschte'}},
} as const;

export function statementsOf(log: LogFile, options: XapiOptions): Statement[] {
  return log.entries.map((entry) => statementOf(entry, log.learner, options));
}

function statementOf(entry: LogEntry, learner: string, options: XapiOptions): Statement {
  const base = options.base.replace(/#.*$/s, '');
  const verb = verbs[entry.event];
  const result = resultOf(entry, base);
  const grouping = groupingOf(entry, base);
  return {
    id: entry.id,
    actor: options.actor ?? {objectType: 'Agent', account: {homePage: base, name: learner}},
    verb: {id: `http://adlnet.gov/expapi/verbs/${verb.name}`, display: verb.display},
    object: entry.event === 'mastered' ? skillActivity(entry.problem, base) : problemActivity(entry, base),
    ...(result === undefined ? {} : {result}),
    context: {
      registration: entry.session,
      platform: 'conpole',
      ...(entry.language === undefined ? {} : {language: entry.language}),
      ...(grouping.length === 0 ? {} : {contextActivities: {grouping}}),
    },
    timestamp: entry.at,
    version: '1.0.3',
  };
}

function resultOf(entry: LogEntry, base: string): Statement['result'] {
  const extensions: Record<string, string | number | boolean> = {};
  const extend = (name: string, value: string | number | boolean | undefined): void => {
    if (value !== undefined) extensions[`${base}#xapi/${name}`] = value;
  };
  extend('verdict', entry.verdict);
  extend('mistake', entry.mistake);
  extend('hint', entry.hint);
  extend('helped', entry.helped);
  extend('level', entry.level);
  const result: NonNullable<Statement['result']> = {};
  if (entry.event === 'line') {
    if (entry.correct !== undefined) result.success = entry.correct;
    if (entry.line !== undefined) result.response = entry.line;
  }
  if (entry.event === 'solved') {
    result.completion = true;
    result.success = true;
  }
  if (entry.seconds !== undefined) result.duration = durationOf(entry.seconds);
  if (Object.keys(extensions).length > 0) result.extensions = extensions;
  return Object.keys(result).length > 0 ? result : undefined;
}

/** ISO 8601 in hundredths of a second, which is as exact as xAPI compares. */
export function durationOf(seconds: number): string {
  return `PT${Number(Math.min(seconds, 1e9).toFixed(2))}S`;
}

function groupingOf(entry: LogEntry, base: string): Activity[] {
  const activities: Activity[] = [];
  if (entry.skill !== undefined && entry.event !== 'mastered') activities.push(skillActivity(entry.skill, base));
  if (entry.set !== undefined) {
    activities.push(activity(base, 'set', [entry.set], 'http://adlnet.gov/expapi/activities/assessment', entry.set));
  }
  return activities;
}

function problemActivity(entry: LogEntry, base: string): Activity {
  const question = 'http://adlnet.gov/expapi/activities/cmi.interaction';
  const made = activity(base, 'problem', [entry.domain, entry.problem], question, entry.problem);
  made.definition.interactionType = 'other';
  return made;
}

function skillActivity(skill: string, base: string): Activity {
  return activity(base, 'skill', [skill], 'http://adlnet.gov/expapi/activities/objective', skill);
}

function activity(base: string, kind: string, parts: string[], type: string, name: string): Activity {
  const id = `${base}#xapi/${kind}/${parts.map(encoded).join('/')}`;
  return {objectType: 'Activity', id, definition: {type, name: {und: name}}};
}

// Also the signs that encodeURIComponent leaves and an address had better not have, and lone surrogates, which it refuses.
function encoded(part: string): string {
  const wellFormed = part.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
  return encodeURIComponent(wellFormed).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
