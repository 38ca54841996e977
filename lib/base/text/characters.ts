/**
 * One line of text: no control characters or line breaks, no half of a surrogate pair, and nothing invisible (Unicode's
 * Default_Ignorable_Code_Point: direction marks, joiners, zero-width signs, soft hyphens, tags). A variation selector
 * may follow an emoji.
 */
export const oneLine = /^(?:[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}\ufff9-\ufffb]|\p{Emoji}[\ufe0e\ufe0f])*$/u

/** Several lines of text: tabs, line ends and joiners are allowed, direction marks are not. */
export const manyLines = /^(?:[^\p{Cc}\p{Cs}\p{Bidi_C}]|[\t\n\r])*$/u

/**
 * Text that is cleaned afterwards, such as a name: all characters but control characters and halves of surrogate pairs.
 */
export const tidiable = /^[^\p{Cc}\p{Cs}]*$/u

/**
 * Trims a text. A text with a byte order mark stays as it is, because `trim` would remove the mark and nobody would see
 * it.
 */
export const trimmed = (text: string) => (text.includes('\ufeff') ? text : text.trim())

/** Replaces each sequence of spaces, no-break spaces included, by one plain space. */
export const singleSpaced = (text: string) => text.replace(/\s+/g, ' ')

/** Returns whether a text can be stored: neither UTF-8 nor PostgreSQL can hold half of a surrogate pair or NUL. */
export const isStorable = (text: string) => !/[\0\p{Cs}]/u.test(text)
