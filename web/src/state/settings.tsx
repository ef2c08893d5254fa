// Language and appearance: remembered in this browser, and for all components in a context.

import {createContext, type ComponentChildren} from 'preact';
import {useContext, useLayoutEffect, useMemo, useState} from 'preact/hooks';
import {translator, type Language, type Table, type Translate} from '../i18n/table';
import {isRecord, recall, remember} from './storage';

export type Theme = 'system' | 'light' | 'dark';

export interface Settings {
  language: Language;
  theme: Theme;
}

interface SettingsAccess extends Settings {
  change: (part: Partial<Settings>) => void;
}

function preferredLanguage(): Language {
  return navigator.languages.some((name) => name.toLowerCase().startsWith('de')) &&
    !navigator.languages[0]?.toLowerCase().startsWith('en')
    ? 'de'
    : 'en';
}

export function readSettings(stored: unknown): Partial<Settings> | undefined {
  if (!isRecord(stored)) return undefined;
  const {language, theme} = stored;
  return {
    ...(language === 'en' || language === 'de' ? {language} : {}),
    ...(theme === 'light' || theme === 'dark' || theme === 'system' ? {theme} : {}),
  };
}

const SettingsContext = createContext<SettingsAccess | null>(null);

export function SettingsProvider({children}: {children: ComponentChildren}) {
  const [settings, set] = useState<Settings>(() => ({
    language: preferredLanguage(),
    theme: 'system',
    ...recall('settings', readSettings),
  }));
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
        set(changed);
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
