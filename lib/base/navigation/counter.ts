/** The address of the frame without an origin in which the analytics counter runs. */
const counterPath = '/platform/counter'

const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/**
 * Returns the address of the counter's frame, with the page and the previous page as parameters; null for a page whose
 * address may contain a secret. If the previous address may contain one, only its origin is passed.
 */
export function counterAddress(page: string, previousPage: string): string | null {
  if (guid.test(page)) return null
  const referrer = guid.test(previousPage) ? new URL(previousPage).origin : previousPage
  return `${counterPath}?${new URLSearchParams({ page, referrer })}`
}
