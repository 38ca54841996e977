import { type NextRequest, NextResponse } from 'next/server'
import { redirectFor } from '@/lib/base/navigation/screens'
import { backLink } from '@/lib/request/back-link'
import { cookieLine, cookieName } from '@/lib/request/cookies'

export const config = {
  runtime: 'nodejs',
  // pages only, because a middleware costs a request two thirds of its throughput
  matcher: [
    '/((?!api/|oidc/|style/|_next/|platform/dev/|platform/provider$|platform/counter$|platform/offline$|platform/sw.js$|platform/script.js$|platform/passkey.js$|.well-known/webauthn$|icon.svg|robots.txt$).*)',
  ],
}

/**
 * Redirects people to the right page; it doesn't check access. Here only a missing cookie counts as signed out. The pages
 * check the session, and redirect a signed-in person by the same rules.
 */
export default async function middleware(request: NextRequest) {
  const { pathname, search, searchParams } = request.nextUrl
  const to = await redirectFor({
    path: pathname,
    search,
    signedIn: request.cookies.has(cookieName('session')) ? 'perhaps' : false,
    hasServices: async () => false,
  })
  const ref = searchParams.get('ref')
  const link = ref ? await backLink(ref) : null
  if (link) request.cookies.set(cookieName('backLink'), link)
  const response = to
    ? NextResponse.redirect(new URL(to, request.nextUrl))
    : // the requested page already contains the address to return to
      NextResponse.next(link ? { request: { headers: request.headers } } : undefined)
  if (link) response.headers.append('set-cookie', cookieLine('backLink', link))
  return response
}
