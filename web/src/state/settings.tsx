// Language and appearance: remembered in this browser, and for all components in a context.

import {createContext, type ComponentChildren} from 'preact';
import {useContext, useLayoutEffect, useMemo, useState} from 'preact/hooks';
import {isLanguage, languages, loadTexts, translator, type Language, type Table, type Translate} from '../i18n/table';
import {isRecord, recall, remember} from './storage';

export type Theme = 'system' | 'light' | 'dark';

export interface Settings {
  language: Language;
  theme: Theme;
}

interface SettingsAccess extends Settings {
  change: (part: Partial<Settings>) => void;
}

/** The first of those that people want which there is. */
export function preferredLanguage(wanted: readonly string[]): Language {
  const codes = wanted.map((name) => name.toLowerCase().split('-')[0]);
  return codes.find(isLanguage) ?? languages[0]?.code ?? 'en';
}

export function readSettings(stored: unknown): Partial<Settings> | undefined {
  if (!isRecord(stored)) return undefined;
  const {language, theme} = stored;
  return {
    ...(isLanguage(language) ? {language} : {}),
    ...(theme === 'light' || theme === 'dark' || theme === 'system' ? {theme} : {}),
  };
}

export function initialSettings(): Settings {
  return {language: preferredLanguage(navigator.languages), theme: 'system', ...recall('settings', readSettings)};
}

const SettingsContext = createContext<SettingsAccess | null>(null);

export function SettingsProvider({children}: {children: ComponentChildren}) {
  const [settings, set] = useState(initialSettings);
  useLayoutEffect(() => {
    document.documentElement.lang = settings.language;
    document.documentElement.dataset.theme = settings.theme;
    // The attribute that MathLive's keyboard looks at.
    if (settings.theme === 'system') document.body.removeAttribute('theme');
    else document.body.setAttribute('theme', settings.theme);
  }, [settings]);
  const access = useMemo<SettingsAccess>(
    () => ({
      ...settings,
      change: (part) => {
        const changed = {...settings, ...part};
        remember('settings', changed);
        // Its texts come first, so that none is shown in another language meanwhile.
        void loadTexts(changed.language)
          .catch(() => undefined)
          .then(() => set(changed));
      },
    }),
    [settings],
  );
  return <SettingsContext.Provider value={access}>{children}</SettingsContext.Provider>;
}

export function useSettings(): SettingsAccess {
  const access = useContext(SettingsContext);
  if (access === null) throw new Error('useSettings outside of SettingsProvider');
  return access;
}

/** The texts of one table in the chosen language. */
export function useText<Key extends string>(texts: Table<Key>): Translate<Key> {
  const {language} = useSettings();
  return useMemo(() => translator(texts, language), [texts, language]);
}
