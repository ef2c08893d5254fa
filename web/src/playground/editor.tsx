// The text of a domain file with the numbers of its lines, and what is wrong with it, each with a button that leads there.

import {useId, useRef} from 'preact/hooks';
import type {DomainReport} from '../engine/wire';
import {playground} from '../i18n/playground';
import {Icon} from '../parts/icon';
import type {Answer} from '../research/use_answer';
import {useText} from '../state/settings';
import {indexOfPlace} from './place';

interface EditorProps {
  text: string;
  report: Answer<DomainReport>;
  isCurrent: boolean; // whether the report is about this text
  onChange: (text: string) => void;
}

export function Editor({text, report, isCurrent, onChange}: EditorProps) {
  const t = useText(playground);
  const field = useRef<HTMLTextAreaElement>(null);
  const statusId = useId();
  const known = isCurrent && report.state === 'ready' ? report.value : null;
  const findings = known?.findings ?? [];
  const badLines = new Set(findings.filter(({kind}) => kind === 'error').map(({line}) => line));
  const lines = text.split('\n');
  const go = (line: number, column: number): void => {
    const at = indexOfPlace(text, line, column);
    field.current?.focus();
    field.current?.setSelectionRange(at, Math.min(at + 1, text.length));
  };
  return (
    <>
      <div id={statusId} class="editor-status" role="status">
        {known === null && report.state !== 'failed' && <p class="soft">{t('looking')}</p>}
        {report.state === 'failed' && <p class="trouble">{report.message}</p>}
        {known?.ok === true && (
          <p class="verified">
            <Icon name="check" />{' '}
            {t('no_errors', {
              found: known.solved_by_search,
              searched: known.searched,
              length: known.mean_length.toFixed(1),
              passed: known.tests_passed,
              tests: known.tests,
            })}
          </p>
        )}
        {known?.ok === false && <p class="trouble">{t('errors')}</p>}
        <ul class="findings">
          {findings.map(({kind, line, column, message}, index) => (
            <li key={index} class={kind}>
              <button type="button" class="quiet" onClick={() => go(line, column)}>
                {kind === 'warning' && `${t('warning')}: `}
                {t('place', {line, column})}
              </button>{' '}
              {message}
            </li>
          ))}
        </ul>
      </div>
      <div class="editor">
        <div class="editor-lines" aria-hidden="true">
          {lines.map((_, index) => (
            <span key={index} class={badLines.has(index + 1) ? 'bad' : undefined}>
              {index + 1}
            </span>
          ))}
        </div>
        <textarea
          ref={field}
          value={text}
          rows={lines.length + 1}
          wrap="off"
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          maxLength={60_000}
          aria-label={t('file')}
          aria-describedby={statusId}
          aria-invalid={badLines.size > 0}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      </div>
    </>
  );
}
