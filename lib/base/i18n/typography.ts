const nbsp = '\u00a0'
const before = "(?<![\\p{L}\\p{N}’'-])"
const short = 'а|б|без|бы|в|во|для|до|за|и|из|или|к|ко|на|не|ни|но|о|об|обо|от|по|под|при|про|с|со|то|у'

/** A space after a short Russian word. */
const afterShort = new RegExp(`(?<=${before}(?:${short})) (?=\\S|$)`, 'giu')
/** A space before a dash or a particle, and between a number and its unit. */
const beforeDash = / (?=[—–](?:\s|$))/gu
const beforeParticle = / (?=(?:же|ли|бы)(?![\p{L}\p{N}-]))/giu
const afterNumber = /(?<=[\d№]) (?=[\p{L}\p{N}%№])/gu
/** In a message # is the number of a plural. */
const afterPlural = /(?<=#) (?=[\p{L}\p{N}%№])/gu

/**
 * Returns a text in which no line ends with a short word, begins with a dash or parts a number from its unit: the spaces
 * there don't break. All else stays, so that doing it twice changes nothing.
 */
export const typographic = (text: string): string =>
  [afterShort, beforeDash, beforeParticle, afterNumber].reduce((done, space) => done.replace(space, nbsp), text)

/** The literal after a number: its first space doesn't break. */
const afterArgument = (text: string, isNumber: boolean) =>
  typographic(isNumber ? text.replace(/^ (?=[\p{L}%])/u, nbsp) : text)

/** A message as its source is written: literals stand outside braces, and in the branches of an argument. */
function inSource(message: string): string {
  const open: ('argument' | 'branch')[] = []
  let done = ''
  let isNumber = false
  for (const part of message.split(/([{}]|<\/?\w+>)/)) {
    if (part === '{') open.push(open.at(-1) === 'argument' ? 'branch' : 'argument')
    else if (part === '}') open.pop()
    if (/^[{}<]/.test(part)) done += part
    else if (open.at(-1) === 'argument') {
      isNumber = /^[^,]*, *number/.test(part)
      done += part
    } else {
      done += afterArgument(part.replace(afterPlural, nbsp), isNumber)
      isNumber = false
    }
  }
  return done
}

/** A message as the build parses it (icu-minify): 0 is the number of a plural, [name, …] an argument or a tag. */
function inParsed(nodes: readonly unknown[]): unknown[] {
  return nodes.map((node, at) => {
    const last = nodes[at - 1]
    if (typeof node === 'string') return afterArgument(node, last === 0 || (Array.isArray(last) && last[1] === 4))
    if (!Array.isArray(node)) return node
    const [name, kind, branches] = node
    if (kind === 1 || kind === 2 || kind === 3)
      return [name, kind, Object.fromEntries(Object.entries(branches).map(([key, branch]) => [key, inBranch(branch)]))]
    return typeof kind === 'number' && kind !== 0 ? node : [name, ...inParsed(node.slice(1))]
  })
}
const inBranch = (branch: unknown) =>
  typeof branch === 'string' ? typographic(branch) : Array.isArray(branch) ? inParsed(branch) : branch

/** Returns a tree of messages, as written or as the build parses them, with the literals made `typographic`. */
export function typographicMessages<T>(tree: T): T {
  if (typeof tree === 'string') return inSource(tree) as T
  if (Array.isArray(tree)) return inParsed(tree) as T
  const entries = Object.entries(tree as object).map(([key, value]) => [key, typographicMessages(value)])
  return Object.fromEntries(entries) as T
}

const vowel = '[aeiouyаеёиоуыэюя]'
const consonant = '[b-df-hj-np-tv-xzбвгджзйклмнпрстфхцчшщ]'
/** Between a vowel and a syllable: there Russian words, and most English ones, may break. */
const syllables = new RegExp(`(?<=\\p{L}{3}${vowel})(?=${consonant}${vowel}\\p{L}{2})`, 'giu')

/** Returns a label whose words of 13 letters and more may break between syllables, for where one may not fit. */
export const softened = (label: string): string =>
  label.replace(/\p{L}{13,}/gu, (word) => word.replace(syllables, '\u00ad'))
