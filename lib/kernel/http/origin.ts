/**
 * Whether a cookie-borne write comes from a page of ours: the browser says so (Sec-Fetch-Site), or the
 * Origin is the host that was asked or the domain's own (decisions.md section 5). None at all is a no.
 */
export function isOwnOrigin(headers: Headers, domainOrigin: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site) return site === 'same-origin'
  const origin = headers.get('origin')
  if (!origin || !URL.canParse(origin)) return false
  return origin === domainOrigin || new URL(origin).host === headers.get('host')
}
