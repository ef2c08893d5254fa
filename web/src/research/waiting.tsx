import {research} from '../i18n/research';
import {useText} from '../state/settings';
import type {Answer} from './use_answer';

/** What a search for researchers may take, who can stop it. */
export const patience = 30_000; // milliseconds

/** What there is to say while there is no answer. */
export function Waiting<T>({answer}: {answer: Answer<T>}) {
  const t = useText(research);
  return (
    <div role="status" class="waiting">
      {answer.state === 'waiting' && (
        <>
          <span class="loading">
            {t('loading')} {answer.progress !== null && t('expanded', {count: answer.progress.expanded})}
          </span>
          <button type="button" onClick={answer.stop}>
            {t('stop')}
          </button>
        </>
      )}
      {answer.state === 'failed' && <p class="notice wrong">{answer.message}</p>}
    </div>
  );
}
