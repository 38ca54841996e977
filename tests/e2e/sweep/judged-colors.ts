type Found = { id: string; nodes: { html: string; element?: Element; any: { message: string }[] }[] }
type Rule = { id: string; matches(node: Element, ...others: unknown[]): boolean }
export type Axe = {
  _audit: { rules: Rule[] }
  run(root: Document, options: object): Promise<{ violations: Found[]; incomplete: Found[] }>
}
/** Colors that were judged: what axe passed isn't judged again where everything that it depends on is the same. */
export type Judged = { known: Set<number>; fresh: Map<Element, number>; behind: Map<Element, number> }

/**
 * Runs in the page, with the looks that axe has passed. Contrast depends on the text's color and size and on what lies
 * behind it. Most elements share all of these with one that axe has passed before: those aren't judged again, which
 * halves the time of a look. What isn't seen this way is text over an element that isn't around it, such as a picture
 * that is drawn across its neighbor.
 */
export function judgeColorsOnce(known: number[]) {
  const { axe } = window as unknown as { axe: Axe }
  const judged: Judged = { known: new Set(known), fresh: new Map(), behind: new Map() }
  Object.assign(window, { judged })
  const hash = (text: string) => {
    let [high, low] = [0xdeadbeef, 0x41c6ce57]
    for (let at = 0; at < text.length; at++) {
      high = Math.imul(high ^ text.charCodeAt(at), 2654435761)
      low = Math.imul(low ^ text.charCodeAt(at), 1597334677)
    }
    return 4294967296 * (low & 0x1fffff) + (high >>> 0)
  }
  const background = (element: Element, pseudo?: string) => {
    const style = getComputedStyle(element, pseudo)
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position } = style
    if (pseudo && style.content === 'none') return ''
    // what is positioned may lie above anything
    const place = position === 'absolute' || position === 'fixed' || position === 'sticky' ? position : ''
    return [backgroundColor, backgroundImage, opacity, filter, mixBlendMode, place].join()
  }
  const behind = (element: Element): number => {
    const seen = judged.behind.get(element)
    if (seen !== undefined) return seen
    const around = element.parentElement ? behind(element.parentElement) : 0
    const layers = [background(element), background(element, '::before'), background(element, '::after')]
    const all = hash([around, ...layers].join('|'))
    judged.behind.set(element, all)
    return all
  }
  const lookOf = (element: Element) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element)
    return hash([color, fontSize, fontWeight, textShadow, behind(element)].join('|'))
  }
  const hasText = (element: Element) =>
    ['INPUT', 'SELECT', 'TEXTAREA'].includes(element.tagName) ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
  const rule = axe._audit.rules.find(({ id }) => id === 'color-contrast')
  if (!rule) throw new Error('axe has no rule about contrast')
  const matches = rule.matches.bind(rule)
  rule.matches = (node, ...others) => {
    if (!hasText(node)) return false
    const look = lookOf(node)
    if (judged.known.has(look) || !matches(node, ...others)) return false
    judged.fresh.set(node, look)
    return true
  }
}
