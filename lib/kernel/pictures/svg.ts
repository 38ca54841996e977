import rehypeParse from 'rehype-parse'
import rehypeSanitize from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import { fieldError } from '../errors'

type Node = { type: string; tagName?: string; properties?: Record<string, unknown>; children?: Node[] }

/** The most elements of a drawing, and how deep they nest: a logo has a few dozen. */
const most = { elements: 5000, depth: 100 }

const shapes = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text']
const drawn = ['svg', 'g', ...shapes, 'tspan']
const referred = ['defs', 'linearGradient', 'radialGradient', 'stop', 'clipPath', 'mask']

/** A color, a number or a word, or a part of the same drawing; never another address. */
const inside = /^(url\(\s*['"]?#[\w.:-]+['"]?\s*\)|(rgb|hsl)a?\([\d\s.,%/a-z-]+\)|[^()\\]*)$/i
const painted = ['fill', 'stroke', 'stopColor', 'clipPath', 'mask', 'color']
const plain = [
  ...['id', 'transform', 'opacity', 'fillOpacity', 'fillRule', 'clipRule', 'display', 'visibility'],
  ...['strokeWidth', 'strokeOpacity', 'strokeLineCap', 'strokeLineJoin', 'strokeMiterLimit'],
  ...['strokeDashArray', 'strokeDashOffset', 'stopOpacity', 'offset', 'vectorEffect'],
  ...['x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'fx', 'fy', 'd', 'points', 'dx', 'dy', 'rotate'],
  ...['width', 'height', 'viewBox', 'preserveAspectRatio', 'gradientUnits', 'gradientTransform', 'spreadMethod'],
  ...['clipPathUnits', 'maskUnits', 'maskContentUnits', 'textAnchor', 'dominantBaseline', 'letterSpacing'],
  ...['fontFamily', 'fontSize', 'fontWeight', 'fontStyle', 'textLength', 'lengthAdjust'],
]

/** A gradient that begins as another one of the same drawing. */
const template = ['xLinkHref', 'href'].map((name): [string, RegExp] => [name, /^#[\w.:-]+$/])

/** What a drawing may consist of. Everything else is left out: scripts, styles, links, pictures, foreign content. */
const allowed = {
  tagNames: [...drawn, ...referred],
  attributes: {
    '*': [...plain, ...painted].map((name): [string, RegExp] => [name, inside]),
    linearGradient: template,
    radialGradient: template,
  },
  ancestors: {},
  required: {},
  protocols: {},
  clobber: [],
  strip: ['script', 'style', 'foreignObject', 'iframe', 'title', 'desc'],
}

/** The names of the properties in an attribute `style`. */
const styled = new Map(
  [...plain, ...painted].map((name) => [
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/^stroke-(line|miter|dash)-/, 'stroke-$1'),
    name,
  ]),
)

/** Drawing programs write looks into `style`; they become attributes, which are then checked one by one. */
function unstyle(node: Node) {
  const style = node.properties?.style
  if (typeof style !== 'string') return
  for (const declaration of style.split(';')) {
    const [name = '', value = ''] = declaration.split(':', 2)
    const property = styled.get(name.trim().toLowerCase())
    if (property && value.trim()) node.properties = { ...node.properties, [property]: value.trim() }
  }
}

const broken = () => fieldError('file', 'errorPicture')

/** Counts a tree, and gives every element to `look`. Throws 400 for a tree that is larger than a logo can be. */
function walk(root: Node, look: (node: Node) => void) {
  let count = 0
  const visit = (node: Node, depth: number) => {
    if (++count > most.elements || depth > most.depth) throw broken()
    look(node)
    for (const child of node.children ?? []) visit(child, depth + 1)
  }
  visit(root, 0)
}

const parser = unified().use(rehypeParse, { fragment: true })
const cleaner = unified().use(rehypeSanitize, allowed)
const writer = unified().use(rehypeStringify, {
  space: 'svg',
  closeEmptyElements: true,
  tightSelfClosing: false,
  allowDangerousCharacters: false,
  allowDangerousHtml: false,
  allowParseErrors: false,
  characterReferences: { useNamedReferences: false },
})

/**
 * Takes an uploaded SVG and writes it anew from shapes, gradients, masks and texts alone: nothing in it runs, and nothing
 * in it loads anything (docs/rules/administration-screens.md#logos-and-icons). Throws 400 errorPicture for what is no
 * drawing, and 400 errorPictureStyles for one whose looks are in a style sheet, because they would be lost.
 */
export function cleanSvg(source: string): string {
  try {
    return cleaned(source)
  } catch (error) {
    // it nests so deep that the parser's stack is full
    throw error instanceof RangeError ? broken() : error
  }
}

function cleaned(source: string): string {
  const tree = parser.parse(source.replace(/<!ENTITY[^>]*>/gi, '')) as Node
  walk(tree, (node) => {
    if (node.tagName === 'style') throw fieldError('file', 'errorPictureStyles')
    unstyle(node)
  })
  const clean = cleaner.runSync(tree as never) as unknown as Node
  const roots = (clean.children ?? []).filter(({ type }) => type === 'element')
  const [svg] = roots
  if (svg?.tagName !== 'svg' || roots.length > 1) throw broken()
  let visible = false
  walk(svg, (node) => {
    visible ||= shapes.includes(node.tagName ?? '')
    // what stood in parts that are gone, such as a script of another kind
    if (node.tagName !== 'text' && node.tagName !== 'tspan')
      node.children = node.children?.filter(({ type }) => type === 'element')
  })
  if (!visible) throw broken()
  svg.properties = {
    xmlns: 'http://www.w3.org/2000/svg',
    xmlnsXLink: 'http://www.w3.org/1999/xlink',
    ...svg.properties,
  }
  return writer.stringify({ type: 'root', children: [svg] } as never)
}
