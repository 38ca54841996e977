type Found = { id: string; nodes: { html: string; element?: Element; any: { message: string }[] }[] }
type Rule = { id: string; matches(node: Element, ...others: unknown[]): boolean }
export type Axe = {
  _audit: { rules: Rule[] }
  run(where: Document | Element[], options: object): Promise<{ violations: Found[]; incomplete: Found[] }>
}
/** Colors that were judged: what axe passed isn't judged again where everything that it depends on is the same. */
export type Judged = {
  known: Set<number>
  fresh: Map<Element, number[]>
  behind: Map<Element, number>
  /** Returns the texts and links whose looks axe hasn't passed yet. */
  unknown(): Element[]
}

/**
 * Runs in the page, with the looks that axe has passed. Contrast depends on the text's color and size and on what lies
 * behind it, and that a link is told from the text around it depends on the same of both. Most elements share all of
 * these with one that axe has passed before: those aren't judged again, which takes most of the time of a look. What
 * isn't seen this way is text over an element that isn't around it, such as a picture that is drawn across its neighbor.
 */
export function judgeColorsOnce(known: number[]) {
  const { axe } = window as unknown as { axe: Axe }
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
  const blockOf = (link: Element) => {
    let block = link.parentElement
    while (block && getComputedStyle(block).display.startsWith('inline')) block = block.parentElement
    return block ?? document.body
  }
  const lookOfLink = (link: Element) => {
    const fontOf = (element: Element) =>
      `${getComputedStyle(element).fontStyle} ${getComputedStyle(element).fontFamily}`
    const { textDecorationLine, borderBottom } = getComputedStyle(link)
    const parts = [link, blockOf(link)].flatMap((element) => [lookOf(element), fontOf(element)])
    return hash(['link', textDecorationLine, borderBottom, ...parts].join('|'))
  }
  const isLink = (element: Element) => element.matches('a[href]')
  const letters = (element: Element) => element.textContent?.replace(/\s/g, '').length ?? 0
  const isInText = (link: Element) => {
    const block = blockOf(link)
    return letters(block) > [...block.querySelectorAll('a')].reduce((sum, each) => sum + letters(each), 0)
  }
  const isUnknown = (element: Element) =>
    (hasText(element) && !judged.known.has(lookOf(element))) ||
    (isLink(element) && isInText(element) && !judged.known.has(lookOfLink(element)))

  const judged: Judged = {
    known: new Set(known),
    fresh: new Map(),
    behind: new Map(),
    unknown: () =>
      [...document.body.querySelectorAll('*')].filter(
        (element) =>
          (hasText(element) || isLink(element)) &&
          element.checkVisibility({ visibilityProperty: true }) &&
          // texts for screen readers alone have one pixel
          element.getBoundingClientRect().width > 1 &&
          isUnknown(element),
      ),
  }
  Object.assign(window, { judged })

  const judgeOnce = (id: string, applies: (element: Element) => boolean, keyOf: (element: Element) => number) => {
    const rule = axe._audit.rules.find((each) => each.id === id)
    if (!rule) throw new Error(`axe has no rule ${id}`)
    const matches = rule.matches.bind(rule)
    rule.matches = (node, ...others) => {
      if (!applies(node)) return false
      const look = keyOf(node)
      if (judged.known.has(look) || !matches(node, ...others)) return false
      judged.fresh.set(node, [...(judged.fresh.get(node) ?? []), look])
      return true
    }
  }
  judgeOnce('color-contrast', hasText, lookOf)
  judgeOnce('link-in-text-block', isLink, lookOfLink)
}
