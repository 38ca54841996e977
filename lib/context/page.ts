import { headers } from 'next/headers'
import { cache } from 'react'
import type { Cookies } from '@/lib/kernel/ctx'
import { buildContext } from './build'
import { readCookies } from './cookies'

/** The context of the page being rendered: composed once a request. Pages read; only route handlers set cookies. */
export const pageContext = cache(async () => {
  const requestHeaders = await headers()
  const cookies: Cookies = {
    get: readCookies(requestHeaders.get('cookie')),
    set(name) {
      throw new Error(`a page can't set the cookie ${name}`)
    },
  }
  return buildContext(requestHeaders, cookies)
})

/** The nonce under which this page's scripts run: the server's policy, which nobody outside can set, names it. */
export const pageNonce = cache(
  async () => /'nonce-([\w+/=-]+)'/.exec((await headers()).get('content-security-policy') ?? '')?.[1],
)
