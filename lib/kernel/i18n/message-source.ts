/** The numbers of icu-minify for the kinds of a node. */
const kinds = { 1: 'select', 2: 'plural', 3: 'selectordinal', 4: 'number', 5: 'date', 6: 'time' } as const

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
  if (kind > 3) return more === undefined ? `{${name}, ${word}}` : `{${name}, ${word}, ${more}}`
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
