/** Returns the order with an item one place up or down; the same order if it is at the end already. */
export function moved(order: readonly string[], id: string, by: -1 | 1): string[] {
  const from = order.indexOf(id)
  const to = from + by
  if (from < 0 || to < 0 || to >= order.length) return [...order]
  return order.map((each, at) => (at === from ? (order[to] ?? each) : at === to ? id : each))
}

/** Returns the order with an item directly above or below another one. */
export function inPlaceOf(order: readonly string[], id: string, other: string, edge: 'top' | 'bottom'): string[] {
  if (id === other || !order.includes(id) || !order.includes(other)) return [...order]
  const rest = order.filter((each) => each !== id)
  const at = rest.indexOf(other) + (edge === 'bottom' ? 1 : 0)
  return [...rest.slice(0, at), id, ...rest.slice(at)]
}
