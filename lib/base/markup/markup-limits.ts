/**
 * The deepest nesting of a text, the most signs of emphasis and links in one paragraph, and the most elements and
 * characters of its HTML, which may be much larger than the source: more would take the parsers minutes.
 */
export const markupLimits = { depth: 100, signs: 10_000, elements: 30_000, length: 1024 ** 2 } as const

/** The signs of quotes and lists before the words of a line: each is a level of nesting. */
const markers = /^[ \t]*(?:(?:[>*+-]|\d{1,9}[.)])[ \t]*)+/gm
const marker = /[>*+-]|\d+[.)]/g
/** Tags that don't add to the nesting: they are empty, or the next such tag or their parent's end closes them. */
const unnestedTags = new Set(
  'p li dt dd tr td th thead tbody tfoot colgroup col option br hr img input wbr area base link meta source track embed'.split(
    ' ',
  ),
)

function isDeep(text: string): boolean {
  for (const { 0: start, index } of text.matchAll(markers)) {
    const nextSign = text[index + start.length]
    // signs without words after them are a horizontal rule or underline a heading
    const levels = nextSign === undefined || /[\r\n]/.test(nextSign) ? start.replace(/[-*]/g, '') : start
    if ((levels.match(marker)?.length ?? 0) > markupLimits.depth) return true
  }
  const openTags: string[] = []
  for (const [, end, tagName = ''] of text.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    const name = tagName.toLowerCase()
    if (unnestedTags.has(name)) continue
    if (!end) openTags.push(name)
    // an end tag of an element that isn't open has no effect
    else if (openTags.includes(name)) openTags.length = openTags.lastIndexOf(name)
    if (openTags.length > markupLimits.depth) return true
  }
  return false
}

/**
 * Returns whether a text of markdown or HTML would take its parser too long: it nests too deep, or has a paragraph with
 * too many signs (docs/rules/agreements.md#documents).
 */
export const isTooTangled = (text: string): boolean =>
  isDeep(text) || text.split(/\n[ \t]*\n/).some((part) => (part.match(/[*_~`[\]]/g)?.length ?? 0) > markupLimits.signs)

/** Returns a text without its comments. A comment that isn't closed continues to the end of the text. */
function withoutComments(text: string): string {
  const [first = '', ...parts] = text.split('<!--')
  const ends = parts.map((part) => part.indexOf('-->'))
  return first + parts.map((part, i) => ((ends[i] ?? -1) < 0 ? '' : part.slice((ends[i] ?? 0) + 3))).join('')
}

/**
 * Returns the least number of elements of a markdown: table cells, items, paragraphs, breaks, and tags outside of code.
 */
function elementsOf(text: string): number {
  let [count, columns, fence, previousLine] = [0, 0, '', '']
  // the signs that opened code within a paragraph, and whether indented lines are code
  let [openCode, indented] = ['', false]
  const isOutsideCode = (part: string, index: number) => {
    if (index % 2 === 0) return !openCode
    if (!openCode) openCode = part
    else if (part === openCode) openCode = ''
    return false
  }
  for (const rawLine of text.split('\n')) {
    const line = rawLine.replace(/^[ \t>]+/, '').trimEnd()
    const marks = /^(?:`{3,}|~{3,})/.exec(line)?.[0] ?? ''
    if (fence) {
      if (marks.startsWith(fence) && marks === line) fence = ''
      continue
    }
    fence = marks
    if (!line) openCode = ''
    indented = line ? /^(?: {4}|\t)/.test(rawLine) && (indented || !previousLine) : indented
    if (indented) {
      previousLine = ''
      continue
    }
    const isBorder = /^[-:| \t]+$/.test(line) && line.includes('|') && previousLine.includes('|')
    if (isBorder) columns = line.match(/-+/g)?.length ?? 0
    else if (/^(?:$|[-+*#]|\d+[.)])/.test(line)) columns = 0
    // each row has as many cells as the head, even if it is shorter; the border counts for the head
    if (columns > 0) count += columns + 1
    else if (line) {
      if (!previousLine) count++
      else if (/ {2}$|\\$/.test(rawLine)) count++
      if (/^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+\S/.test(rawLine)) count++
    }
    const textOutsideCode = line.split(/(`+)/).filter(isOutsideCode).join(' ')
    count += textOutsideCode.match(/<[a-z]/gi)?.length ?? 0
    previousLine = line
  }
  return count
}

/**
 * Returns whether a text certainly becomes too many elements. It only counts signs, which is fast: to parse such a text
 * takes seconds, and on a busy machine longer than the timeout of a text.
 */
export function isTooLarge(text: string, format: 'md' | 'html'): boolean {
  const plain = withoutComments(text)
  const count = format === 'html' ? (plain.match(/<[a-z]/gi)?.length ?? 0) : elementsOf(plain.replace(/\r\n?/g, '\n'))
  return count > markupLimits.elements
}
