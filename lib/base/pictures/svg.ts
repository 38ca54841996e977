import { Parser } from 'htmlparser2'
import { fieldError } from '../runtime/errors'

/** The most kilobytes and elements of a drawing, and how deep they nest: a logo has a few dozen elements. */
const most = { kilobytes: 256, elements: 5000, depth: 100 }

const shapes = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text']
const referred = ['defs', 'linearGradient', 'radialGradient', 'stop', 'clipPath', 'mask']

/** What a drawing may consist of. Everything else is left out: scripts, links, pictures. */
const elements = new Set(['svg', 'g', ...shapes, 'tspan', ...referred])
/** What is left out with everything in it. */
const strange = new Set(['script', 'foreignObject', 'iframe', 'title', 'desc'])
/** Words are shown in these alone. */
const worded = new Set(['text', 'tspan'])

const attributes = new Set([
  ...['id', 'transform', 'opacity', 'fill', 'fill-opacity', 'fill-rule', 'clip-path', 'clip-rule', 'mask', 'color'],
  ...['display', 'visibility', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-linecap', 'stroke-linejoin'],
  ...['stroke-miterlimit', 'stroke-dasharray', 'stroke-dashoffset', 'stop-color', 'stop-opacity', 'offset'],
  ...['x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'fx', 'fy', 'd', 'points', 'dx', 'dy', 'rotate'],
  ...['width', 'height', 'viewBox', 'preserveAspectRatio', 'gradientUnits', 'gradientTransform', 'spreadMethod'],
  ...['clipPathUnits', 'maskUnits', 'maskContentUnits', 'text-anchor', 'dominant-baseline', 'letter-spacing'],
  ...['font-family', 'font-size', 'font-weight', 'font-style', 'textLength', 'lengthAdjust', 'vector-effect'],
])

/** A gradient that begins as another one of the same drawing. */
const isTemplate = (element: string, name: string, value: string) =>
  element.endsWith('Gradient') && (name === 'href' || name === 'xlink:href') && /^#[\w.:-]+$/.test(value)

const functions =
  /url\(\s*['"]?#[\w.:-]+['"]?\s*\)|(?:rgba?|hsla?|matrix|translate|scale|rotate|skewx|skewy)\([^()\\]*\)/gi
/** Whether a value has words, numbers, colors, shifts and parts of the same drawing alone; never another address. */
const isInside = (value: string) => !/[()\\]/.test(value.replace(functions, ' '))

/** Signs that XML doesn't take as they are. */
const written = (text: string) =>
  text
    .replace(/[\p{Cc}\ufffe\uffff]/gu, ' ')
    .replace(/[<>&"]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`)

/** Returns the attributes that stay. Drawing programs write looks into `style`; they become attributes of their own. */
function kept(element: string, { style = '', ...given }: Record<string, string>) {
  const all = new Map(Object.entries(given))
  for (const declaration of style.split(';')) {
    const [name = '', value = ''] = declaration.split(':', 2).map((part) => part.trim())
    if (value) all.set(name.toLowerCase(), value)
  }
  return [...all].filter(
    ([name, value]) => (attributes.has(name) && isInside(value)) || isTemplate(element, name, value),
  )
}

const broken = () => fieldError('file', 'errorPicture')
const tooLarge = () => fieldError('file', 'errorPictureLarge', most)
const namespaces: [string, string][] = [
  ['xmlns', 'http://www.w3.org/2000/svg'],
  ['xmlns:xlink', 'http://www.w3.org/1999/xlink'],
]

/** Writes the elements of a drawing anew while they are read. */
function createWriter() {
  /** The elements that are open, and of these what is written: null for what is left out. */
  const open: (string | null)[] = []
  let [count, roots, hidden, isVisible] = [0, 0, 0, false]
  let text = ''
  /** The start of the last element isn't closed yet: it may be empty. */
  let isStart = false
  const add = (part: string) => {
    text += isStart ? `>${part}` : part
    isStart = false
  }
  const begin = (name: string, given: Record<string, string>) => {
    if (name === 'style') throw fieldError('file', 'errorPictureStyles')
    if (++count > most.elements || open.length >= most.depth) throw tooLarge()
    if (strange.has(name) || hidden > 0) hidden++
    const isKept = hidden === 0 && elements.has(name)
    if (isKept) {
      const isRoot = open.every((each) => each === null)
      if (isRoot && (name !== 'svg' || ++roots > 1)) throw broken()
      isVisible ||= shapes.includes(name)
      const all = [...(isRoot ? namespaces : []), ...kept(name, given)]
      add(`<${name}${all.map(([key, value]) => ` ${key}="${written(value)}"`).join('')}`)
      isStart = true
    }
    open.push(isKept ? name : null)
  }
  const say = (words: string) => {
    const around = open.findLast((each) => each !== null)
    if (words && hidden === 0 && around && worded.has(around)) add(written(words))
  }
  const end = () => {
    const name = open.pop()
    if (hidden > 0) hidden--
    if (!name) return
    text += isStart ? ' />' : `</${name}>`
    isStart = false
  }
  return { begin, say, end, result: () => (isVisible ? text : null) }
}

/**
 * Takes an uploaded SVG and writes it anew from shapes, gradients, masks and texts alone: nothing in it runs, and nothing
 * in it loads anything (docs/rules/administration-screens.md#logos-and-icons). It is held to its limits while it is read.
 * Throws 400 errorPicture for what is no drawing, errorPictureLarge for one beyond the limits, and errorPictureStyles for
 * one whose looks are in a style sheet, because they would be lost.
 */
export function cleanSvg(bytes: Uint8Array): string {
  if (bytes.byteLength > most.kilobytes * 1024) throw tooLarge()
  const { begin, say, end, result } = createWriter()
  const parser = new Parser({ onopentag: begin, ontext: say, onclosetag: end }, { xmlMode: true, decodeEntities: true })
  parser.end(Buffer.from(bytes).toString('utf8'))
  const clean = result()
  if (clean === null) throw broken()
  return clean
}
