import type { Words } from '@/lib/base/i18n/words'

/** What a part of a message is called: its own name, or for the words around mails their place. */
export const labelOf = (words: Words, part: string) =>
  words.has(`parts.${part.replaceAll('.', '_')}`) ? words(`parts.${part.replaceAll('.', '_')}`) : part
