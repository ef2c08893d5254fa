import {table} from './table';

export const logTexts = table(
  {
    title: 'Your log',
    help: 'What you did in this browser, for your teacher or a learning platform. It leaves this device only if you pass it on.',
    json: 'Download as JSON',
    xapi: 'Download as xAPI',
    clear: 'Delete the log',
    cleared: 'The log was deleted.',
    count: '{count} entries',
  },
  {
    title: 'Dein Protokoll',
    help: 'Was du in diesem Browser getan hast, für deine Lehrkraft oder eine Lernplattform. Es verlässt dieses Gerät nur, wenn du es weitergibst.',
    json: 'Als JSON herunterladen',
    xapi: 'Als xAPI herunterladen',
    clear: 'Protokoll löschen',
    cleared: 'Das Protokoll wurde gelöscht.',
    count: '{count} Einträge',
  },
);
