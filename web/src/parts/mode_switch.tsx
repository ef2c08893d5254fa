// Formula or text: two buttons of which one is pressed. Alt+T changes between them, wherever the focus is.

import {useEffect, useRef} from 'preact/hooks';
import {learner} from '../i18n/learner';
import {useText} from '../state/settings';
import {fetchMathLive, type EntryMode} from './entry';

interface ModeSwitchProps {
  mode: EntryMode;
  value: string;
  /** Gets what was typed so far in the notation of the other field. */
  onChange: (mode: EntryMode, value: string) => void;
}

export function ModeSwitch({mode, value, onChange}: ModeSwitchProps) {
  const t = useText(learner);
  const choose = async (chosen: EntryMode): Promise<void> => {
    if (chosen === mode) return;
    try {
      const mathLive = value === '' ? null : await fetchMathLive();
      onChange(chosen, mathLive === null ? value : chosen === 'text' ? mathLive.textOfLatex(value) : mathLive.latexOfText(value));
    } catch {
      onChange('text', value);
    }
  };
  useShortcut('t', () => void choose(mode === 'text' ? 'formula' : 'text'));
  return (
    <div class="mode-switch" role="group" aria-label={t('mode')}>
      {(['formula', 'text'] as const).map((name) => (
        <button key={name} type="button" aria-pressed={mode === name} onClick={() => void choose(name)}>
          {t(`mode_${name}`)}
        </button>
      ))}
    </div>
  );
}

/** Calls `act` on Alt and a letter. The key's place counts, since Alt changes the letter on some systems. */
export function useShortcut(letter: string, act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== `Key${letter.toUpperCase()}`) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', onKey, {capture: true});
    return () => removeEventListener('keydown', onKey, {capture: true});
  }, [letter]);
}
