// Texts of the page. Each view has a table of its own in this folder, in English. Other languages are files, LANGUAGE.json, with the
// same tables; a language is fetched when it is chosen, and until then, or if it cannot be fetched, its texts are English.

import list from '../../../src/language/languages.json';

/** The code of one, such as 'en'. */
export type Language = string;
export const languages: readonly {code: Language; name: string}[] = list;

export function isLanguage(code: unknown): code is Language {
  return languages.some((language) => language.code === code);
}

export interface Table<Key extends string> {
  name: string;
  en: Record<Key, string>;
}

export function table<const T extends Record<string, string>>(name: string, en: T): Table<keyof T & string> {
  return {name, en};
}

/** The texts of a language, by table and key. */
export type Texts = Record<string, Record<string, string>>;
const here = new Map<Language, Texts>();

export function addTexts(language: Language, texts: Texts): void {
  here.set(language, texts);
}

export async function loadTexts(language: Language): Promise<void> {
  if (language === 'en' || here.has(language)) return;
  const response = await fetch(new URL(`./languages/page.${language}.json`, document.baseURI));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  addTexts(language, (await response.json()) as Texts);
}

/** The text of a key, with `{name}` replaced by the value of that name, and `{name|entry|entries}` by the form that this number asks for. */
export type Translate<Key extends string> = (key: Key, values?: Record<string, string | number>) => string;

export function translator<Key extends string>(texts: Table<Key>, language: Language): Translate<Key> {
  const local = here.get(language)?.[texts.name];
  return (key, values = {}) => {
    const translated = local?.[key];
    const plurals = new Intl.PluralRules(translated === undefined ? 'en' : language);
    return (translated ?? texts.en[key]).replace(/\{(\w+)(?:\|([^|{}]+)\|([^|{}]+))?\}/g, (slot, name: string, one?: string, more?: string) => {
      const value = values[name];
      if (value === undefined || one === undefined || more === undefined) return String(value ?? slot);
      return plurals.select(Number(value)) === 'one' ? one : more;
    });
  };
}
