import type { Ctx } from '@/lib/base/context/ctx'
import { isInteraction } from '@/lib/base/navigation/after-sign-in'
import { escaped, standalonePage } from '@/lib/site/domains/standalone-page'

/**
 * Returns whether an address is elsewhere, or may redirect there: the request of an application, the start of a sign-in
 * through a provider.
 */
export const mayLeave = (to: string): boolean => !to.startsWith('/') || /^\/(api|oidc)\//.test(to) || isInteraction(to)

/**
 * Returns a page that leads elsewhere, such as to an application. A redirect can't: browsers apply the policy of where
 * forms may be sent (`form-action`) to the redirects after them too.
 */
export function pageLeadingTo(to: string, { domain, locale, cookies }: Ctx, headers: Headers): Response {
  const { host } = new URL(to, domain.origin)
  const page = standalonePage({
    title: host,
    text: '',
    locale,
    theme: cookies.get('theme'),
    domain,
    actions: `<a href="${escaped(to)}">${escaped(host)}</a>`,
  }).replace('</head>', () => `<meta http-equiv="refresh" content="0;url=${escaped(to)}">\n</head>`)
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(page, { headers })
}
