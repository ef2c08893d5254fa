// What the page does, in twenty seconds: a problem, a line, a wrong line and a hint, as the engine itself judges them.

import {useEffect, useState} from 'preact/hooks';
import {useTutor} from '../engine/context';
import {learner} from '../i18n/learner';
import {Icon} from '../parts/icon';
import {Said} from '../parts/said';
import {isMotionReduced} from '../pictures/motion';
import {useText} from '../state/settings';
import {exerciseOf} from './exercise';
import {Lines, WrongLine} from './lines';
import {begin, judged, type Work} from './work';

const problem = '2x + 3 = 7';
const rightLine = '2x = 4';
const wrongLine = '2x = 10';
const sceneMilliseconds = 5000;

interface Scene {
  caption: 'tour_type' | 'tour_line' | 'tour_wrong' | 'tour_hint';
  work: Work;
  hint: string | null;
}

export default function Tour({onTry, onClose}: {onTry: (problem: string) => void; onClose: () => void}) {
  const t = useText(learner);
  const tutor = useTutor();
  const [scenes, setScenes] = useState<Scene[]>([]);
  const [at, go] = useState(0);
  const [isPlaying, play] = useState(!isMotionReduced());

  useEffect(() => {
    const prepare = async (): Promise<Scene[]> => {
      const exercise = exerciseOf(await tutor.read({text: problem}));
      const judge = async (line: string): Promise<Work> => {
        const checked = (await tutor.check({problem: exercise.problem, domain: exercise.domain, lines: [line]})).lines[0];
        return checked === undefined ? begin(exercise) : judged(begin(exercise), line, checked);
      };
      const right = await judge(rightLine);
      const hint = (await tutor.hint({line: rightLine, domain: exercise.domain, level: 2})).text;
      return [
        {caption: 'tour_type', work: begin(exercise), hint: null},
        {caption: 'tour_line', work: right, hint: null},
        {caption: 'tour_wrong', work: await judge(wrongLine), hint: null},
        {caption: 'tour_hint', work: right, hint},
      ];
    };
    prepare().then(setScenes, onClose);
  }, [tutor]);

  useEffect(() => {
    if (!isPlaying || scenes.length === 0 || at === scenes.length - 1) return;
    const timer = setTimeout(() => go(at + 1), sceneMilliseconds);
    return () => clearTimeout(timer);
  }, [isPlaying, scenes, at]);

  const scene = scenes[at];
  return (
    <section class="card tour" aria-labelledby="tour-heading">
      <div class="card-head">
        <h2 id="tour-heading">{t('tour')}</h2>
        <button type="button" class="quiet icon-only" aria-label={t('tour_close')} title={t('tour_close')} onClick={onClose}>
          <Icon name="cross" />
        </button>
      </div>
      <div class="tour-scene" aria-live="polite">
        {scene !== undefined && (
          <>
            <p class="tour-caption">{t(scene.caption)}</p>
            <Lines work={scene.work} />
            {scene.work.attempt !== null && <WrongLine attempt={scene.work.attempt} />}
            {scene.hint !== null && (
              <p class="tour-hint">
                <Icon name="bulb" /> <Said text={scene.hint} />
              </p>
            )}
          </>
        )}
      </div>
      <div class="row">
        {scenes.map((_, index) => (
          <button key={index} type="button" class="quiet" aria-label={t('tour_scene', {number: index + 1})} aria-current={index === at ? 'step' : undefined} onClick={() => (play(false), go(index))}>
            {index + 1}
          </button>
        ))}
        {scenes.length > 0 && at < scenes.length - 1 && (
          <button type="button" class="quiet" onClick={() => play(!isPlaying)}>
            {t(isPlaying ? 'tour_pause' : 'tour_play')}
          </button>
        )}
        <button type="button" class="primary" onClick={() => onTry(problem)}>
          {t('tour_try')}
        </button>
      </div>
    </section>
  );
}
