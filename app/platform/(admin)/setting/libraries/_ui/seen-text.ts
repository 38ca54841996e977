/** Invisible characters, which no text may have and which a pasted text may contain. */
const unseen = /(?![\t\n\r])[\p{Cc}\p{Cs}\p{Bidi_C}]/gu

/** Returns a typed text without invisible characters. */
export const seenText = (text: string): string => text.replace(unseen, '')
