import {useState} from 'preact/hooks';
import type {EntryMode} from '../parts/entry';
import {recall, remember} from '../state/storage';

/** Whether formulas or text is typed, as it was chosen last. */
export function usePreferredMode(): [EntryMode, (mode: EntryMode) => void] {
  const [mode, set] = useState<EntryMode>(
    () => recall('entry-mode', (stored) => (stored === 'text' || stored === 'formula' ? stored : undefined)) ?? 'formula',
  );
  return [
    mode,
    (chosen) => {
      remember('entry-mode', chosen);
      set(chosen);
    },
  ];
}
