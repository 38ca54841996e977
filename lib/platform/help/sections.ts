type Format = 'md' | 'html'
/** A part of a document under its heading. The text before the first heading is a section with an empty heading. */
export type Section = {
  heading: string
  text: string
  /** Index among the document's headings, from 1; 0 before the first heading. */
  part: number
}

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  laquo: '«',
  raquo: '»',
  mdash: '—',
}
const decoded = (text: string) => text.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
const withoutTags = (text: string) =>
  decoded(text.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ').replace(/<[^>]*>/g, ' '))

/** Returns the words without markup, for searching and excerpts; the result must never be shown as HTML. */
function words(text: string): string {
  return withoutTags(text)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(?:[-*+>]|\d+[.)])\s+/gm, '')
    .replace(/^\s*\|?[\s:|-]+\|[\s:|-]*$/gm, ' ')
    .replace(/[*_`]+/g, '')
    .replace(/[#|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

const heads: Record<Format, RegExp> = {
  md: /^ {0,3}#{1,6}[ \t]+(.+?)[ \t#]*$/gm,
  html: /<h[1-6]\b[^>]*>([\s\S]*?)<\/h[1-6]\s*>/gi,
}

/** Splits a document at its headings, in order. */
export function sectionsOf(content: string, format: Format): Section[] {
  // a line that begins with # inside a block of code is no heading
  const text =
    format === 'md' ? content.replace(/^(```|~~~)[\s\S]*?^\1/gm, (code) => code.replaceAll('#', ' ')) : content
  const sections: Section[] = []
  let from = 0
  let heading = ''
  const close = (to: number) => {
    const content = words(text.slice(from, to))
    if (heading || content) sections.push({ heading, text: content, part })
  }
  let part = 0
  for (const match of text.matchAll(heads[format])) {
    close(match.index)
    part++
    heading = words(match[1] ?? '')
    from = match.index + match[0].length
  }
  close(text.length)
  return sections
}
