/** Returns the order with an item moved one place up or down; the same order if it is at the end already. */
export function moved(order: readonly string[], id: string, step: -1 | 1): string[] {
  const fromIndex = order.indexOf(id)
  const toIndex = fromIndex + step
  if (fromIndex < 0 || toIndex < 0 || toIndex >= order.length) return [...order]
  return order.map((each, index) => (index === fromIndex ? (order[toIndex] ?? each) : index === toIndex ? id : each))
}

/** Returns the order with an item directly above or below another one. */
export function inPlaceOf(order: readonly string[], id: string, targetId: string, edge: 'top' | 'bottom'): string[] {
  if (id === targetId || !order.includes(id) || !order.includes(targetId)) return [...order]
  const others = order.filter((each) => each !== id)
  const targetIndex = others.indexOf(targetId) + (edge === 'bottom' ? 1 : 0)
  return [...others.slice(0, targetIndex), id, ...others.slice(targetIndex)]
}
