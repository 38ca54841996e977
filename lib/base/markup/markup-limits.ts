/**
 * How deep a text may nest, how many signs of emphasis and links one paragraph may have, and what it may become: more costs
 * its readers minutes. `elements` and `length` are those of the drawn text, which may be much larger than its source.
 */
export const markupLimits = { depth: 100, signs: 10_000, elements: 30_000, length: 1024 ** 2 } as const

/** Signs of quotes and lists before the words of a line, each of which is a level. */
const markers = /^[ \t]*(?:(?:[>*+-]|\d{1,9}[.)])[ \t]*)+/gm
const marker = /[>*+-]|\d+[.)]/g
/** Tags that an end of their own or of their parent closes by themselves, or that hold nothing. */
const flat = new Set(
  'p li dt dd tr td th thead tbody tfoot colgroup col option br hr img input wbr area base link meta source track embed'.split(
    ' ',
  ),
)

function isDeep(text: string): boolean {
  for (const { 0: start, index } of text.matchAll(markers)) {
    const after = text[index + start.length]
    // signs with no words after them are a line between parts, or underline a heading
    const levels = after === undefined || /[\r\n]/.test(after) ? start.replace(/[-*]/g, '') : start
    if ((levels.match(marker)?.length ?? 0) > markupLimits.depth) return true
  }
  const open: string[] = []
  for (const [, end, given = ''] of text.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    const name = given.toLowerCase()
    if (flat.has(name)) continue
    if (!end) open.push(name)
    // the end of what isn't open ends nothing
    else if (open.includes(name)) open.length = open.lastIndexOf(name)
    if (open.length > markupLimits.depth) return true
  }
  return false
}

/**
 * Returns whether a text of markdown or HTML would cost its readers too much: one that nests too deep, or has a paragraph
 * of hardly anything but signs (docs/rules/agreements.md#documents).
 */
export const isTooTangled = (text: string): boolean =>
  isDeep(text) || text.split(/\n[ \t]*\n/).some((part) => (part.match(/[*_~`[\]]/g)?.length ?? 0) > markupLimits.signs)

/** A text without its comments: one that nothing ends goes on to the end. */
function withoutComments(text: string): string {
  const [first = '', ...parts] = text.split('<!--')
  const ends = parts.map((part) => part.indexOf('-->'))
  return first + parts.map((part, at) => ((ends[at] ?? -1) < 0 ? '' : part.slice((ends[at] ?? 0) + 3))).join('')
}

/** How many elements a markdown has at least: cells of tables, items, paragraphs, breaks and tags, except in code. */
function elementsOf(text: string): number {
  let [count, columns, fence, before] = [0, 0, '', '']
  // the signs that began code within a paragraph, and whether lines that are indented are code
  let [open, indented] = ['', false]
  const isOutside = (part: string, at: number) => {
    if (at % 2 === 0) return !open
    if (!open) open = part
    else if (part === open) open = ''
    return false
  }
  for (const whole of text.split('\n')) {
    const line = whole.replace(/^[ \t>]+/, '').trimEnd()
    const marks = /^(?:`{3,}|~{3,})/.exec(line)?.[0] ?? ''
    if (fence) {
      if (marks.startsWith(fence) && marks === line) fence = ''
      continue
    }
    fence = marks
    if (!line) open = ''
    indented = line ? /^(?: {4}|\t)/.test(whole) && (indented || !before) : indented
    if (indented) {
      before = ''
      continue
    }
    const isBorder = /^[-:| \t]+$/.test(line) && line.includes('|') && before.includes('|')
    if (isBorder) columns = line.match(/-+/g)?.length ?? 0
    else if (/^(?:$|[-+*#]|\d+[.)])/.test(line)) columns = 0
    // each row has as many cells as the head, also a shorter one; the border stands for the head
    if (columns > 0) count += columns + 1
    else if (line) {
      if (!before) count++
      else if (/ {2}$|\\$/.test(whole)) count++
      if (/^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+\S/.test(whole)) count++
    }
    const outside = line.split(/(`+)/).filter(isOutside).join(' ')
    count += outside.match(/<[a-z]/gi)?.length ?? 0
    before = line
  }
  return count
}

/**
 * Returns whether a text becomes too many elements for sure. It only counts, in the time of a glance: to read that much as
 * markup takes seconds, on a busy machine more than a text has.
 */
export function isTooLarge(text: string, format: 'md' | 'html'): boolean {
  const plain = withoutComments(text)
  const count = format === 'html' ? (plain.match(/<[a-z]/gi)?.length ?? 0) : elementsOf(plain.replace(/\r\n?/g, '\n'))
  return count > markupLimits.elements
}
