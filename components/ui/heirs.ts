/**
 * Who gets the focus if the menu or button of a row goes with its row: those of the next rows, then those of the previous
 * ones, the nearest first. Each such element has `data-row-action`.
 */
export function heirsOf(element: HTMLElement): HTMLElement[] {
  const all = [...document.querySelectorAll<HTMLElement>('[data-row-action]')]
  const at = all.indexOf(element)
  return at < 0 ? [] : [...all.slice(at + 1), ...all.slice(0, at).reverse()]
}

/** Moves the focus, if it is lost, to the first heir that is still there, else to the page's heading. */
export function inherit(heirs: readonly HTMLElement[]) {
  const { activeElement, body } = document
  if (activeElement !== body && activeElement !== null) return
  const heir = heirs.find(({ isConnected }) => isConnected)
  if (heir) return heir.focus()
  const main = document.getElementById('main')
  const heading = main?.querySelector<HTMLElement>('h1')
  if (heading) heading.tabIndex = -1
  const last = heading ?? main
  last?.focus({ preventScroll: true })
}
