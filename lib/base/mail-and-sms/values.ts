// control and format characters (direction marks, invisible ones) and line and paragraph separators
const unwanted = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu
const maxLength = 200

/** Returns a text of at most `length` whole characters; an ellipsis replaces the rest. */
export function shortened(text: string, length: number): string {
  const signs = [...text]
  return signs.length > length
    ? `${signs
        .slice(0, Math.max(0, length - 1))
        .join('')
        .trimEnd()}…`
    : text
}

/** Returns a text on one line: no control or direction characters, single spaces, at most 200 characters. */
export const cleanLine = (text: string) => shortened(text.replace(unwanted, ' ').replace(/\s+/g, ' ').trim(), maxLength)

/** Returns a text of several lines, each cleaned in the same way. */
export const cleanLines = (text: string) =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.replace(unwanted, ' ').replace(/\s+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** The signs that browsers take for the dot of a host name (UTS 46). */
const dot = '[.．。｡]'
/**
 * The signs by which mail programs and phones recognize an address: after a scheme, and in a host name or an IPv4
 * address. Numbers, initials and abbreviations don't match.
 */
const inAddress = new RegExp(
  String.raw`:(?=\/\/)|(?<=(?<![\p{L}\p{N}])(?:https?|mailto|tel|sms|smsto)):(?=\S)|` +
    String.raw`(?<=[^\s\p{P}\p{C}]|[_-])${dot}(?=\p{L}[\p{L}\p{M}\p{N}-])|(?<=\d)${dot}(?=\d{1,3}${dot}\d{1,3}${dot}\d)`,
  'giu',
)

/** Returns a text as people see it: with signs of normal width, and without invisible ones. */
const asRead = (text: string) => text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')

/** Returns whether a mail program or a phone would turn a part of this text into a link. */
export const hasAddress = (text: string) => text.search(inAddress) >= 0 || asRead(text).search(inAddress) >= 0

const host = String.raw`(?:[^\s\p{P}\p{C}]${dot}\p{L}[\p{L}\p{N}-]+|(?:\d{1,3}${dot}){3}\d{1,3})`
const leadingSomewhere = new RegExp(
  String.raw`:\/\/|(?<![\p{L}\p{N}])(?:www${dot}|(?:https?|mailto|tel|sms|smsto):\S)|${host}[\/:?#\\⁄∕]\S`,
  'iu',
)

/** Returns whether a name contains an address: a scheme, a host name or an IPv4 address with a path, or `www.`. */
export const isAddress = (name: string) => leadingSomewhere.test(asRead(name))

/**
 * Inserts an invisible word joiner into each address of a text, so that mail programs do not turn it into a link. Only
 * intended links are links.
 */
export const unlinked = (text: string) => text.replace(inAddress, '$&\u2060')

/** Removes the joiners from a text that no program turns into a link: they would only confuse. */
export const withoutJoiners = (text: string) => text.replaceAll('\u2060', '')

/** Returns the name for a greeting; empty when it looks like an address. */
export const greetable = (name: string) => (hasAddress(name) || /www\.|[@/\\]/i.test(name) ? '' : cleanLine(name))

const nameWord = "\\p{L}[\\p{L}\\p{M}\\u200c\\u200d'’-]*\\.?"
const initials = '(?:\\p{L}\\.){2,3}'
const fullNameShape = new RegExp(`^(?:${nameWord}|${initials})(?: (?:${nameWord}|${initials})){0,3}$`, 'u')

/**
 * Returns the name of a person whom the reader may not know, for mails and public pages: unchanged if it looks like a
 * name, else ''. Its owner chose it, so it may be an address, a telephone number or a sentence.
 */
export const fullName = (name: string) => (name.length <= 60 && fullNameShape.test(name) ? name : '')

/** Returns a whole web address; empty for anything else. */
export function webAddress(link: string): string {
  if (!URL.canParse(link)) return ''
  const { protocol, href, username } = new URL(link)
  return (protocol === 'https:' || protocol === 'http:') && !username ? href : ''
}

type Unit = 'minutes' | 'hours' | 'days'

/** Returns a duration in the units that people use, largest first: 5400 is one hour and 30 minutes. */
export function unitsOf(seconds: number): [unit: Unit, count: number][] {
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes >= 48 * 60) return [['days', Math.round(minutes / (24 * 60))]]
  const parts: [Unit, number][] = [
    ['hours', Math.floor(minutes / 60)],
    ['minutes', minutes % 60],
  ]
  return parts.filter(([, count]) => count > 0)
}
