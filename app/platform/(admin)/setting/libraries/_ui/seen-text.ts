/** Signs that nobody sees and no text may have, which come along when a text is pasted. */
const unseen = /(?![\t\n\r])[\p{Cc}\p{Cs}\p{Bidi_C}]/gu

/** Returns a typed text without the signs that nobody sees. */
export const seenText = (text: string): string => text.replace(unseen, '')
