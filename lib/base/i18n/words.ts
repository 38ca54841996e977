type Values = Record<string, string | number | Date>

/** Texts by keys that are only known at run time: a code, a template's name, the name of an entity. */
export type Words = { (key: string, values?: Values): string; has(key: string): boolean }

/**
 * Returns the translator of `useTranslations`, `getTranslations` or `createTranslator` for keys that are only known at
 * run time. This is the only cast of texts: to compare a translator's type with this one would take the compiler
 * minutes.
 */
export const wordsOf = (translator: unknown): Words => translator as Words
