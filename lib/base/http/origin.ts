/** Returns the origin of a host with the scheme of one of our addresses; undefined for an invalid host. */
function originOf(host: string | null, { protocol }: URL): string | undefined {
  const address = `${protocol}//${host}`
  if (!host || /[\s/\\?#@]/.test(host) || !URL.canParse(address)) return undefined
  return new URL(address).origin
}

/**
 * Returns whether a write with cookies comes from one of our pages: Sec-Fetch-Site says so, or the Origin is that of
 * the requested host or of the domain, scheme and port included (docs/rules/rest.md#origin). Without both headers it is
 * false.
 */
export function isOwnOrigin(headers: Headers, domainOrigin: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site) return site === 'same-origin'
  const origin = headers.get('origin')
  // browsers send "null" for pages without an origin, and every other origin in its one form
  if (!origin || !URL.canParse(origin) || new URL(origin).origin !== origin) return false
  return origin === domainOrigin || origin === originOf(headers.get('host'), new URL(domainOrigin))
}
