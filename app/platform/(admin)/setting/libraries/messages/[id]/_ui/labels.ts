import type { Words } from '@/lib/base/i18n/words'

/** Returns the name of a message's part: its own name, or the place for the words around mails. */
export const labelOf = (words: Words, part: string) =>
  words.has(`parts.${part.replaceAll('.', '_')}`) ? words(`parts.${part.replaceAll('.', '_')}`) : part
