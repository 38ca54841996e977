/** Compares the ids of two elements by their order in the page, including hidden elements. */
export function byPlace(id: string, otherId: string): number {
  const [first, second] = [document.getElementById(id), document.getElementById(otherId)]
  if (!first || !second || first === second) return 0
  return first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
}
