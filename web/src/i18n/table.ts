// Texts of the page. Each view has a table of its own in this folder; the compiler holds both languages to the same keys.

export type Language = 'en' | 'de';
export const languages: readonly Language[] = ['en', 'de'];

export interface Table<Key extends string> {
  en: Record<Key, string>;
  de: Record<Key, string>;
}

export function table<const T extends Record<string, string>>(en: T, de: {[K in keyof T]: string}): Table<keyof T & string> {
  return {en, de};
}

/** The text of a key, with `{name}` replaced by the value of that name. */
export type Translate<Key extends string> = (key: Key, values?: Record<string, string | number>) => string;

export function translator<Key extends string>(texts: Table<Key>, language: Language): Translate<Key> {
  return (key, values = {}) => texts[language][key].replace(/\{(\w+)\}/g, (slot, name: string) => String(values[name] ?? slot));
}
