/**
 * Returns the address of the counter's frame, with the page and the previous page as parameters; null for a page whose
 * address may contain a secret. If the previous address may contain one, only its origin is passed. The script of public
 * pages contains it, so it uses nothing from outside itself.
 */
export function counterAddress(page: string, previousPage: string): string | null {
  const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i
  if (guid.test(page)) return null
  const referrer = guid.test(previousPage) ? new URL(previousPage).origin : previousPage
  return `/platform/counter?${new URLSearchParams({ page, referrer })}`
}
