// What is said when an exercise is solved, and where to go from there. It takes the focus, since the entry is gone.

import {useEffect, useRef} from 'preact/hooks';
import {learner} from '../i18n/learner';
import {Icon} from '../parts/icon';
import {useText} from '../state/settings';
import {isFlawless, type Work} from './work';

interface SolvedCardProps {
  work: Work;
  next: {label: string; go: () => void} | undefined;
  onUndo: () => void;
}

export function SolvedCard({work, next, onUndo}: SolvedCardProps) {
  const t = useText(learner);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div class="solved">
      <span class="solved-badge" aria-hidden="true">
        <Icon name={isFlawless(work) ? 'star' : 'check'} />
      </span>
      <div>
        <h3 ref={heading} tabIndex={-1}>
          {t('solved')}
        </h3>
        <p>{t(work.lines.length === 0 ? 'solved_already' : isFlawless(work) ? 'solved_flawless' : 'solved_helped')}</p>
      </div>
      <div class="row">
        {work.lines.length > 0 && (
          <button type="button" class="quiet" onClick={onUndo}>
            <Icon name="undo" />
            {t('undo')}
          </button>
        )}
        {next !== undefined && (
          <button type="button" class="primary" onClick={next.go}>
            {next.label}
            <Icon name="arrow" />
          </button>
        )}
      </div>
    </div>
  );
}
