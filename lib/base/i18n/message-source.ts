/** The numbers of icu-minify for the kinds of a node. */
export const kinds = { 1: 'select', 2: 'plural', 3: 'selectordinal', 4: 'number', 5: 'date', 6: 'time' } as const

type Style = Record<string, string | number>

/** The letters of a date's parts, by how each is shown; ICU writes a style with them. */
const letters: Record<string, Record<string, string>> = {
  weekday: { long: 'EEEE', short: 'EEE', narrow: 'EEEEE' },
  day: { numeric: 'd', '2-digit': 'dd' },
  month: { long: 'MMMM', short: 'MMM', narrow: 'MMMMM', numeric: 'M', '2-digit': 'MM' },
  year: { numeric: 'yyyy', '2-digit': 'yy' },
  hour: { numeric: 'H', '2-digit': 'HH' },
  minute: { numeric: 'm', '2-digit': 'mm' },
  second: { numeric: 's', '2-digit': 'ss' },
}

/** A style as it is written: a name, or the skeleton of the options that the build made of it. */
function styleSource(style: string | Style): string {
  if (typeof style === 'string') return style
  if (style.style === 'percent') return `::percent${style.scale ? ` scale/${style.scale}` : ''}`
  return `::${Object.entries(letters)
    .map(([part, ways]) => ways[String(style[part])] ?? '')
    .join('')}`
}

const quoted = (text: string, inPlural: boolean) =>
  text
    .replace(/'(?=[{}<#'])/g, "''")
    .replace(inPlural ? /[{}#]+|<(?=[/\w])/g : /[{}]+|<(?=[/\w])/g, (signs) => `'${signs}'`)

function printed(node: unknown, inPlural: boolean): string {
  if (typeof node === 'string') return quoted(node, inPlural)
  if (node === 0) return '#'
  if (!Array.isArray(node)) return ''
  const [name, kind, more] = node
  if (kind === undefined) return `{${name}}`
  if (typeof kind !== 'number' || kind === 0)
    return `<${name}>${node
      .slice(1)
      .map((child) => printed(child, inPlural))
      .join('')}</${name}>`
  const word = kinds[kind as keyof typeof kinds]
  if (kind > 3) return more === undefined ? `{${name}, ${word}}` : `{${name}, ${word}, ${styleSource(more)}}`
  const branches = Object.entries(more as object).map(
    ([key, branch]) =>
      `${key} {${Array.isArray(branch) ? branch.map((part) => printed(part, kind !== 1 || inPlural)).join('') : printed(branch, kind !== 1 || inPlural)}}`,
  )
  return `{${name}, ${word}, ${branches.join(' ')}}`
}

/**
 * Returns a message as its author writes it: as it stands, or of a message that the build has parsed (icu-minify) the
 * text that gives it. Spaces that don't break become plain, as in our own files.
 */
export const messageSource = (message: unknown): string =>
  (Array.isArray(message) ? message.map((node) => printed(node, false)).join('') : String(message)).replaceAll(
    '\u00a0',
    ' ',
  )
