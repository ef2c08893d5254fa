// Hands a text to the reader as a file, without any server.
import {statementOf, type XapiOptions} from '../../engine/xapi.js';
import type {LogFile} from './log';

export function download(name: string, type: string, content: string): void {
  downloadBytes(name, type, new TextEncoder().encode(content));
}

export function downloadBytes(name: string, type: string, content: Uint8Array<ArrayBuffer>): void {
  const address = URL.createObjectURL(new Blob([content], {type}));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // Some browsers begin to read only after this task.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function downloadLog(log: LogFile): void {
  download(`conpole-log-${log.exported.slice(0, 10)}.json`, 'application/json', JSON.stringify(log, null, 2) + '\n');
}

export function downloadXapi(log: LogFile, options: XapiOptions): void {
  const statements = log.entries.map((entry) => statementOf(entry, log.learner, options));
  download(`conpole-xapi-${log.exported.slice(0, 10)}.json`, 'application/json', JSON.stringify(statements, null, 2) + '\n');
}
