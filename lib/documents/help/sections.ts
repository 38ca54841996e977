/** A part of a document under its heading. The text before the first heading is a section with an empty heading. */
export type Section = {
  heading: string
  text: string
  /** Index among the document's headings, from 1; 0 before the first heading. */
  part: number
}

const signs: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" }

/** Returns the words of drawn HTML without tags, for searching and excerpts; the result must never be shown as HTML. */
const words = (html: string) =>
  html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|#x27);/g, (sign) => signs[sign] ?? sign)
    .replace(/\s+/g, ' ')
    .trim()

/** Splits a drawn text (`drawMarkup`) at its headings, which are numbered. Takes a time in proportion to its length. */
export function sectionsOf(html: string): Section[] {
  const [before = '', ...parts] = html.split(/<h[1-6](?: [^<>]*)? id="part-\d+"[^<>]*>/)
  const sections = parts.map((text, at) => {
    const end = text.search(/<\/h[1-6]>/)
    return { heading: words(text.slice(0, end)), text: words(text.slice(end)), part: at + 1 }
  })
  const opening = { heading: '', text: words(before), part: 0 }
  return opening.text ? [opening, ...sections] : sections
}
