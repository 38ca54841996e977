import { mapLiterals } from './parsed-messages'

const nbsp = '\u00a0'
const wordStart = "(?<![\\p{L}\\p{N}’'-])"
const shortWords = 'а|б|без|бы|в|во|для|до|за|и|из|или|к|ко|на|не|ни|но|о|об|обо|от|по|под|при|про|с|со|то|у'

/** A space after a short Russian word. */
const afterShort = new RegExp(`(?<=${wordStart}(?:${shortWords})) (?=\\S|$)`, 'giu')
/** A space before a dash or a particle, and between a number and its unit. */
const beforeDash = / (?=[—–](?:\s|$))/gu
const beforeParticle = / (?=(?:же|ли|бы)(?![\p{L}\p{N}-]))/giu
const afterNumber = /(?<=[\d№]) (?=[\p{L}\p{N}%№])/gu
/** A space after #, which is the number of a plural in a message. */
const afterPlural = /(?<=#) (?=[\p{L}\p{N}%№])/gu

/**
 * Returns a text with no-break spaces, so that no line ends with a short word, begins with a dash or separates a number
 * from its unit. A second call changes nothing more.
 */
export const typographic = (text: string): string =>
  [afterShort, beforeDash, beforeParticle, afterNumber].reduce((current, space) => current.replace(space, nbsp), text)

/** Returns the literal after an argument. If the argument is a number, a first space before a unit doesn't break. */
const afterArgument = (text: string, isNumber: boolean) =>
  typographic(isNumber ? text.replace(/^ (?=[\p{L}%])/u, nbsp) : text)

/**
 * Returns the source of a message with its literals made `typographic`: they are outside of braces, and in branches.
 */
function typographicSource(message: string): string {
  const openBraces: ('argument' | 'branch')[] = []
  let result = ''
  let isNumber = false
  for (const part of message.split(/([{}]|<\/?\w+>)/)) {
    if (part === '{') openBraces.push(openBraces.at(-1) === 'argument' ? 'branch' : 'argument')
    else if (part === '}') openBraces.pop()
    if (/^[{}<]/.test(part)) result += part
    else if (openBraces.at(-1) === 'argument') {
      isNumber = /^[^,]*, *number/.test(part)
      result += part
    } else {
      result += afterArgument(part.replace(afterPlural, nbsp), isNumber)
      isNumber = false
    }
  }
  return result
}

/** Returns a tree of messages, as written or as the build parses them, with the literals made `typographic`. */
export function typographicMessages<T>(tree: T): T {
  if (typeof tree === 'string') return typographicSource(tree) as T
  if (Array.isArray(tree)) return mapLiterals(tree, afterArgument) as T
  const entries = Object.entries(tree as object).map(([key, value]) => [key, typographicMessages(value)])
  return Object.fromEntries(entries) as T
}

const vowel = '[aeiouyаеёиоуыэюя]'
const consonant = '[b-df-hj-np-tv-xzбвгджзйклмнпрстфхцчшщ]'
/** The places between a vowel and a syllable at which Russian words, and most English ones, may break. */
const syllables = new RegExp(`(?<=\\p{L}{3}${vowel})(?=${consonant}${vowel}\\p{L}{2})`, 'giu')

/**
 * Returns a label whose words of 13 letters and more may break between syllables, for places where they may not fit.
 */
export const softened = (label: string): string =>
  label.replace(/\p{L}{13,}/gu, (word) => word.replace(syllables, '\u00ad'))
