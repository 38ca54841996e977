/** A part of a document under its heading. The text before the first heading is a section with an empty heading. */
export type Section = {
  heading: string
  text: string
  /** Index among the document's headings, from 1; 0 before the first heading. */
  part: number
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" }

/** Returns the words of drawn HTML without tags, for search and excerpts. The result must never be shown as HTML. */
const textOf = (html: string) =>
  html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|#x27);/g, (sign) => entities[sign] ?? sign)
    .replace(/\s+/g, ' ')
    .trim()

/** Splits a drawn text (`drawMarkup`) at its headings, which are numbered. Takes a time in proportion to its length. */
export function sectionsOf(html: string): Section[] {
  const [intro = '', ...parts] = html.split(/<h[1-6](?: [^<>]*)? id="part-\d+"[^<>]*>/)
  const sections = parts.map((text, index) => {
    const end = text.search(/<\/h[1-6]>/)
    return { heading: textOf(text.slice(0, end)), text: textOf(text.slice(end)), part: index + 1 }
  })
  const introSection = { heading: '', text: textOf(intro), part: 0 }
  return introSection.text ? [introSection, ...sections] : sections
}
