/**
 * What a text of one line is made of: no controls, no other breaks of a line, no half of a surrogate pair, and nothing
 * that nobody sees (Unicode's Default_Ignorable_Code_Point: marks of direction, joiners, signs without width, soft
 * hyphens, tags). A variation selector may follow an emoji, whose look it chooses.
 */
export const oneLine = /^(?:[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}\ufff9-\ufffb]|\p{Emoji}[\ufe0e\ufe0f])*$/u

/** What a text of several lines is made of: tabs and ends of lines, joiners too, but no marks that turn its direction. */
export const manyLines = /^(?:[^\p{Cc}\p{Cs}\p{Bidi_C}]|[\t\n\r])*$/u

/** What can be tidied, such as a person's name: everything but controls and halves of surrogate pairs. */
export const tidiable = /^[^\p{Cc}\p{Cs}]*$/u

/** Without the spaces around it. The mark of byte order is none: `trim` would let it pass unseen. */
export const trimmed = (text: string) => (text.includes('\ufeff') ? text : text.trim())

/** What neither UTF-8 nor PostgreSQL can hold: half of a surrogate pair, NUL. It may stand in no text at all. */
export const isStorable = (text: string) => !/[\0\p{Cs}]/u.test(text)
