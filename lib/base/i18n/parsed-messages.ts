// The tree into which icu-minify parses a message when the build loads it. tests/unit/project/library-internals.test.ts fails
// when an upgrade changes it.

/** The kinds of a node by their numbers. */
export const kinds = { 1: 'select', 2: 'plural', 3: 'selectordinal', 4: 'number', 5: 'date', 6: 'time' } as const

type Style = Record<string, string | number>

/** The letters of ICU's date skeletons, by part of a date and its format. */
const letters: Record<string, Record<string, string>> = {
  weekday: { long: 'EEEE', short: 'EEE', narrow: 'EEEEE' },
  day: { numeric: 'd', '2-digit': 'dd' },
  month: { long: 'MMMM', short: 'MMM', narrow: 'MMMMM', numeric: 'M', '2-digit': 'MM' },
  year: { numeric: 'yyyy', '2-digit': 'yy' },
  hour: { numeric: 'H', '2-digit': 'HH' },
  minute: { numeric: 'm', '2-digit': 'mm' },
  second: { numeric: 's', '2-digit': 'ss' },
}

/** Returns the source of a style: a name, or the skeleton from which the build made the options. */
function styleSource(style: string | Style): string {
  if (typeof style === 'string') return style
  if (style.style === 'percent') return `::percent${style.scale ? ` scale/${style.scale}` : ''}`
  return `::${Object.entries(letters)
    .map(([part, formats]) => formats[String(style[part])] ?? '')
    .join('')}`
}

const quoted = (text: string, inPlural: boolean) =>
  text
    .replace(/'(?=[{}<#'])/g, "''")
    .replace(inPlural ? /[{}#]+|<(?=[/\w])/g : /[{}]+|<(?=[/\w])/g, (signs) => `'${signs}'`)

const isBranching = (kind: unknown) => kind === 1 || kind === 2 || kind === 3
/** A node without a number as its kind has the name of an argument alone, or of a tag before its children. */
const isPlain = (kind: unknown) => typeof kind !== 'number' || kind === 0

function sourceOf(node: unknown, inPlural: boolean): string {
  if (typeof node === 'string') return quoted(node, inPlural)
  if (node === 0) return '#'
  if (!Array.isArray(node)) return ''
  const [name, kind, details] = node
  if (kind === undefined) return `{${name}}`
  if (isPlain(kind))
    return `<${name}>${node
      .slice(1)
      .map((child) => sourceOf(child, inPlural))
      .join('')}</${name}>`
  const word = kinds[kind as keyof typeof kinds]
  if (kind > 3) return details === undefined ? `{${name}, ${word}}` : `{${name}, ${word}, ${styleSource(details)}}`
  const branches = Object.entries(details as object).map(
    ([key, branch]) =>
      `${key} {${Array.isArray(branch) ? branch.map((part) => sourceOf(part, kind !== 1 || inPlural)).join('') : sourceOf(branch, kind !== 1 || inPlural)}}`,
  )
  return `{${name}, ${word}, ${branches.join(' ')}}`
}

/**
 * Returns the source of a message as its author writes it: the text itself, or the source of a message that the build
 * has parsed (icu-minify). No-break spaces become plain ones, as in our own files.
 */
export const messageSource = (message: unknown): string =>
  (Array.isArray(message) ? message.map((node) => sourceOf(node, false)).join('') : String(message)).replaceAll(
    '\u00a0',
    ' ',
  )

/**
 * Returns the nodes of a message with its literals changed. `change` also gets whether a number stands before the
 * literal: the number of a plural, or an argument in the format of a number.
 */
export function mapLiterals(
  nodes: readonly unknown[],
  change: (text: string, isAfterNumber: boolean) => string,
): unknown[] {
  const mapBranch = (branch: unknown) =>
    typeof branch === 'string' ? change(branch, false) : Array.isArray(branch) ? mapLiterals(branch, change) : branch
  return nodes.map((node, index) => {
    const previous = nodes[index - 1]
    if (typeof node === 'string') return change(node, previous === 0 || (Array.isArray(previous) && previous[1] === 4))
    if (!Array.isArray(node)) return node
    const [name, kind, branches] = node
    if (isBranching(kind))
      return [name, kind, Object.fromEntries(Object.entries(branches).map(([key, branch]) => [key, mapBranch(branch)]))]
    return isPlain(kind) ? [name, ...mapLiterals(node.slice(1), change)] : node
  })
}
