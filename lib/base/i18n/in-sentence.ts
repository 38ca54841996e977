/** Returns a label or an error for the middle of a sentence: “Адрес” becomes “адрес”, “IP-адрес” stays. */
export const inSentence = (text: string, locale: string): string =>
  /^\p{Lu}(?![\p{Lu}\p{N}])/u.test(text) ? text.charAt(0).toLocaleLowerCase(locale) + text.slice(1) : text
