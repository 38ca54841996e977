import type { ReactNode } from 'react'
import Markdown, { type Components } from 'react-markdown'
import rehypeRaw from 'rehype-raw'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { typographic } from '@/lib/base/i18n/typography'
import { isTooLarge, isTooTangled, markupLimits } from '@/lib/base/markup/markup-limits'

type Format = 'md' | 'html'

/** Passes HTML on unchanged; parsed as markdown, its indented lines would become code. */
const asHtml = (text: string) => () => (tree: { children: unknown[] }) => {
  tree.children = [{ type: 'html', value: text }]
}

type Element = {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: Element[]
}

/** Numbers the ids of headings, so that a search can link to one. */
const numberHeadings = () => (tree: Element) => {
  let count = 0
  const visit = (node: Element) => {
    if (/^h[1-6]$/.test(node.tagName ?? '')) node.properties = { ...node.properties, id: `part-${++count}` }
    for (const child of node.children ?? []) visit(child)
  }
  visit(tree)
}

const empty = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))

/** Removes the children of HTML's void elements: inside SVG and MathML they may have some, and React throws at them. */
const emptyVoid = () => (tree: Element) => {
  const visit = (node: Element) => {
    if (empty.has(node.tagName ?? '')) node.children = []
    for (const child of node.children ?? []) visit(child)
  }
  visit(tree)
}

/** Keeps short words and dashes from the ends of lines, except in code, which people copy. */
const breakWell = () => (tree: Element) => {
  const visit = (node: Element) => {
    if (node.tagName === 'code' || node.tagName === 'pre') return
    if (node.type === 'text' && node.value) node.value = typographic(node.value)
    for (const child of node.children ?? []) visit(child)
  }
  visit(tree)
}

const components: Components = {
  // the page has an h1 already
  h1: ({ node: _, ...heading }) => <h2 {...heading} />,
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide one scrolls, by keys only where it can have the focus
  table: ({ node: _, ...table }) => <table {...table} tabIndex={0} />,
  a: ({ node: _, ...link }) => <a {...link} rel="noopener" />,
  // pages show only the platform's pictures (img-src); others are replaced by their alternative text
  img: ({ node: _, src, alt, ...picture }) =>
    // biome-ignore lint/performance/noImgElement: the author of the text chose its size
    /^\/(?!\/|\\|%5c)/i.test(String(src)) ? <img loading="lazy" {...picture} src={src} alt={alt ?? ''} /> : alt,
}

/** Throws RangeError for a tree that is too large, or in which React and the sanitizer would run out of stack. */
const limitTree = () => (tree: Element) => {
  const open = [{ node: tree, depth: 0 }]
  let count = 0
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next
    if (node.type === 'element') count++
    if (count > markupLimits.elements) throw new RangeError('the text has too many elements')
    if (depth > 2 * markupLimits.depth) throw new RangeError('the text nests too deep')
    for (const child of node.children ?? []) open.push({ node: child, depth: depth + 1 })
  }
}

/** The text as it was written, if its markup can't be read. */
const Plain = ({ text }: { text: string }) => <p className="wrap-anywhere whitespace-pre-line">{text}</p>

/**
 * Returns authored markdown or HTML as elements. Both pass one sanitizer, which removes scripts, styles, handlers,
 * frames and addresses with an unusual scheme. Throws RangeError for a text that is too much for its parsers.
 */
export function richOf(text: string, format: Format) {
  if (isTooLarge(text, format)) throw new RangeError('the text has too many elements')
  return Markdown({
    children: text,
    remarkPlugins: format === 'html' ? [asHtml(text)] : [remarkGfm],
    rehypePlugins: [rehypeRaw, limitTree, rehypeSanitize, emptyVoid, numberHeadings, breakWell],
    components,
  })
}

function richOrNull(text: string, format: Format) {
  try {
    return richOf(text, format)
  } catch (error) {
    // too large, or the stack of the markdown parser is full
    if (error instanceof RangeError) return null
    throw error
  }
}

type RichTextProps = {
  text: string
  format?: Format
  /** The note above a text that would be refused; the text is shown as it was written. */
  fault?: ReactNode
}

/** A text in the browser of its author, as `drawMarkup` (`lib/base/markup/markup.ts`) renders it for its readers. */
export function RichText({ text, format = 'md', fault }: RichTextProps) {
  const rich = isTooTangled(text) ? null : richOrNull(text, format)
  return (
    <>
      {rich ? null : fault}
      <div className="rich-text">{rich ?? <Plain text={text} />}</div>
    </>
  )
}
