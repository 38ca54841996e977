type Format = 'md' | 'html'
/** A part of a document under its heading; the first, without one, is what stands before any heading. */
export type Section = {
  heading: string
  text: string /** Place among the document's headings, from 1; 0 before the first. */
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

/** Words alone: for searching and excerpts, never for showing as markup. */
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

/** Takes a document apart at its headings, in order. */
export function sectionsOf(content: string, format: Format): Section[] {
  // a line that begins with # inside a block of code is no heading
  const text =
    format === 'md' ? content.replace(/^(```|~~~)[\s\S]*?^\1/gm, (code) => code.replaceAll('#', ' ')) : content
  const sections: Section[] = []
  let from = 0
  let heading = ''
  const close = (to: number) => {
    const said = words(text.slice(from, to))
    if (heading || said) sections.push({ heading, text: said, part })
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
