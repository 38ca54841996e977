/**
 * Returns the elements that may get the focus if the menu or button of a row disappears with its row: those of the next
 * rows, then those of the previous ones, the nearest first. Each has `data-row-action`.
 */
export function heirsOf(element: HTMLElement): HTMLElement[] {
  const rowActions = [...document.querySelectorAll<HTMLElement>('[data-row-action]')]
  const index = rowActions.indexOf(element)
  return index < 0 ? [] : [...rowActions.slice(index + 1), ...rowActions.slice(0, index).reverse()]
}

/** If the focus is lost, moves it to the first heir that still exists, otherwise to the page's heading. */
export function inherit(heirs: readonly HTMLElement[]) {
  const { activeElement, body } = document
  if (activeElement !== body && activeElement !== null) return
  const heir = heirs.find(({ isConnected }) => isConnected)
  if (heir) return heir.focus()
  const main = document.getElementById('main')
  const heading = main?.querySelector<HTMLElement>('h1')
  if (heading) heading.tabIndex = -1
  const fallback = heading ?? main
  fallback?.focus({ preventScroll: true })
}
