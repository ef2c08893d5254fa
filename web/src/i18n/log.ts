import {table} from './table';

export const logTexts = table('log', {
  title: 'Your log',
  help: 'What you did in this browser, for your teacher or a learning platform. It leaves this device only if you pass it on.',
  json: 'Download as JSON',
  xapi: 'Download as xAPI',
  clear: 'Delete the log',
  cleared: 'The log was deleted.',
  count: '{count} {count|entry|entries}',
});
