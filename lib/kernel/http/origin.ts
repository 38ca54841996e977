/** The origin of a host by the scheme of another address of ours; undefined for what is no host. */
function originOf(host: string | null, { protocol }: URL): string | undefined {
  const address = `${protocol}//${host}`
  if (!host || /[\s/\\?#@]/.test(host) || !URL.canParse(address)) return undefined
  return new URL(address).origin
}

/**
 * Whether a cookie-borne write comes from a page of ours: the browser says so (Sec-Fetch-Site), or the Origin is
 * that of the host that was asked or the domain's own, scheme and port included (docs/rules/rest.md#origin). None at
 * all is a no.
 */
export function isOwnOrigin(headers: Headers, domainOrigin: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site) return site === 'same-origin'
  const origin = headers.get('origin')
  // 'null' is what browsers say of pages without an origin, and they write every other in its one form
  if (!origin || !URL.canParse(origin) || new URL(origin).origin !== origin) return false
  return origin === domainOrigin || origin === originOf(headers.get('host'), new URL(domainOrigin))
}
