/** Where the analytics counter runs: a frame without an origin. */
const counterPath = '/platform/counter'

const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/**
 * Returns the address of the counter's frame, which says what page is read and from where somebody came; null for a page
 * whose address may contain a secret. Of the place before only the origin is told if that address may contain one.
 */
export function counterAddress(page: string, before: string): string | null {
  if (guid.test(page)) return null
  const referrer = guid.test(before) ? new URL(before).origin : before
  return `${counterPath}?${new URLSearchParams({ page, referrer })}`
}
