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

const pagePolicy = cache(async () => (await headers()).get('content-security-policy') ?? '')

/**
 * The analytics counter, if the page's policy lets it talk: not where the address is a key, which whoever counts
 * pages would be told. Null otherwise.
 */
export const pageCounter = async (address: string | null) =>
  address && (await pagePolicy()).includes(` ${new URL(address).origin}`) ? address : null

/** The nonce under which this page's scripts run: the server's policy, which nobody outside can set, names it. */
export const pageNonce = async () => /'nonce-([\w+/=-]+)'/.exec(await pagePolicy())?.[1]
