import { Parser } from 'htmlparser2'
import { fieldError } from '../runtime/errors'

/** The most kilobytes and elements of a drawing, and the deepest nesting: a logo has a few dozen elements. */
const svgLimits = { kilobytes: 256, elements: 5000, depth: 100 }

const shapes = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text']
const referredElements = ['defs', 'linearGradient', 'radialGradient', 'stop', 'clipPath', 'mask']

/** The elements that a drawing may have. All others are left out: scripts, links, pictures. */
const elements = new Set(['svg', 'g', ...shapes, 'tspan', ...referredElements])
/** The elements that are left out with their content. */
const droppedElements = new Set(['script', 'foreignObject', 'iframe', 'title', 'desc'])
/** The elements whose text is shown. */
const textElements = new Set(['text', 'tspan'])

const attributes = new Set([
  ...['id', 'transform', 'opacity', 'fill', 'fill-opacity', 'fill-rule', 'clip-path', 'clip-rule', 'mask', 'color'],
  ...['display', 'visibility', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-linecap', 'stroke-linejoin'],
  ...['stroke-miterlimit', 'stroke-dasharray', 'stroke-dashoffset', 'stop-color', 'stop-opacity', 'offset'],
  ...['x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'fx', 'fy', 'd', 'points', 'dx', 'dy', 'rotate'],
  ...['width', 'height', 'viewBox', 'preserveAspectRatio', 'gradientUnits', 'gradientTransform', 'spreadMethod'],
  ...['clipPathUnits', 'maskUnits', 'maskContentUnits', 'text-anchor', 'dominant-baseline', 'letter-spacing'],
  ...['font-family', 'font-size', 'font-weight', 'font-style', 'textLength', 'lengthAdjust', 'vector-effect'],
])

/** Whether an attribute makes a gradient inherit from another one of the same drawing. */
const isTemplate = (element: string, name: string, value: string) =>
  element.endsWith('Gradient') && (name === 'href' || name === 'xlink:href') && /^#[\w.:-]+$/.test(value)

const functions =
  /url\(\s*['"]?#[\w.:-]+['"]?\s*\)|(?:rgba?|hsla?|matrix|translate|scale|rotate|skewx|skewy)\([^()\\]*\)/gi
/** Whether a value has only words, numbers, colors, transforms and references within the drawing, and no address. */
const isWithinDrawing = (value: string) => !/[()\\]/.test(value.replace(functions, ' '))

/** Returns a text as XML, with its special characters escaped. */
const escapedXml = (text: string) =>
  text
    .replace(/[\p{Cc}\ufffe\uffff]/gu, ' ')
    .replace(/[<>&"]/g, (sign) => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`)

/** Returns the allowed attributes. The declarations in `style`, which drawing programs write, become attributes. */
function allowedAttributes(element: string, { style = '', ...directAttributes }: Record<string, string>) {
  const valuesByName = new Map(Object.entries(directAttributes))
  for (const declaration of style.split(';')) {
    const [name = '', value = ''] = declaration.split(':', 2).map((part) => part.trim())
    if (value) valuesByName.set(name.toLowerCase(), value)
  }
  return [...valuesByName].filter(
    ([name, value]) => (attributes.has(name) && isWithinDrawing(value)) || isTemplate(element, name, value),
  )
}

const pictureError = () => fieldError('file', 'errorPicture')
const tooLarge = () => fieldError('file', 'errorPictureLarge', svgLimits)
const namespaces: [string, string][] = [
  ['xmlns', 'http://www.w3.org/2000/svg'],
  ['xmlns:xlink', 'http://www.w3.org/1999/xlink'],
]

/** Returns handlers of a parser that write the allowed elements of a drawing while they are read. */
function createWriter() {
  /** The open elements: the name of one that is written, null for one that is left out. */
  const openElements: (string | null)[] = []
  let [count, roots, hiddenDepth, isVisible] = [0, 0, 0, false]
  let text = ''
  /** Whether the start tag of the last element isn't closed yet, because the element may be empty. */
  let isStart = false
  const add = (part: string) => {
    text += isStart ? `>${part}` : part
    isStart = false
  }
  const begin = (name: string, attributesOfElement: Record<string, string>) => {
    if (name === 'style') throw fieldError('file', 'errorPictureStyles')
    if (++count > svgLimits.elements || openElements.length >= svgLimits.depth) throw tooLarge()
    if (droppedElements.has(name) || hiddenDepth > 0) hiddenDepth++
    const isKept = hiddenDepth === 0 && elements.has(name)
    if (isKept) {
      const isRoot = openElements.every((each) => each === null)
      if (isRoot && (name !== 'svg' || ++roots > 1)) throw pictureError()
      isVisible ||= shapes.includes(name)
      const writtenAttributes = [...(isRoot ? namespaces : []), ...allowedAttributes(name, attributesOfElement)]
      add(`<${name}${writtenAttributes.map(([key, value]) => ` ${key}="${escapedXml(value)}"`).join('')}`)
      isStart = true
    }
    openElements.push(isKept ? name : null)
  }
  const say = (words: string) => {
    const parent = openElements.findLast((each) => each !== null)
    if (words && hiddenDepth === 0 && parent && textElements.has(parent)) add(escapedXml(words))
  }
  const end = () => {
    const name = openElements.pop()
    if (hiddenDepth > 0) hiddenDepth--
    if (!name) return
    text += isStart ? ' />' : `</${name}>`
    isStart = false
  }
  return { begin, say, end, result: () => (isVisible ? text : null) }
}

/**
 * Takes an uploaded SVG and returns it rewritten with shapes, gradients, masks and texts only: nothing in it runs or
 * loads anything (docs/rules/administration-screens.md#logos-and-icons). The limits are checked while it is read.
 * Throws 400 errorPicture if it isn't a drawing, errorPictureLarge if it exceeds the limits, and errorPictureStyles if
 * its look is in a style sheet, because the look would be lost.
 */
export function cleanSvg(bytes: Uint8Array): string {
  if (bytes.byteLength > svgLimits.kilobytes * 1024) throw tooLarge()
  const { begin, say, end, result } = createWriter()
  const parser = new Parser({ onopentag: begin, ontext: say, onclosetag: end }, { xmlMode: true, decodeEntities: true })
  parser.end(Buffer.from(bytes).toString('utf8'))
  const clean = result()
  if (clean === null) throw pictureError()
  return clean
}
