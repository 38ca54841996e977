type Values = Record<string, string | number | Date>

/** Texts found by a key that is known only at run time: a code, a template's name, the name of something recorded. */
export type Words = { (key: string, values?: Values): string; has(key: string): boolean }

/**
 * Takes what `useTranslations`, `getTranslations` or `createTranslator` returned and returns it for keys known only at
 * run time. The one cast of texts: to compare a translator's type with this one costs the compiler minutes.
 */
export const wordsOf = (translator: unknown): Words => translator as Words
