import { headers } from 'next/headers'
import { cache } from 'react'
import type { Cookies } from '@/lib/base/context/ctx'
import { type ProviderView, readView, viewHeader } from '@/lib/openid/server/view'
import { buildContext } from './build'
import { readCookies } from './cookies'
import { type Outcome, readOutcome } from './forms/outcome'
import { formTokenHeader, pathHeader, plainHeader } from './page-headers'

/**
 * Returns the context of the page that is being rendered, composed once per request. Pages only read cookies; route
 * handlers set them.
 */
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

/** Returns the view of a page of the OpenID Provider; null if the server process didn't request the page. */
export async function pageView(): Promise<ProviderView | null> {
  const view = (await headers()).get(viewHeader)
  return view ? readView(view) : null
}

/**
 * Returns the nonce of the page's scripts. It is in the policy that the server process writes; a client can't set it.
 */
export const pageNonce = async () => /'nonce-([\w+/=-]+)'/.exec(await pagePolicy())?.[1]

/** Returns whether the page that is being rendered is sent without Next's client. */
export const isPlainPage = async (): Promise<boolean> => (await headers()).has(plainHeader)

/** Returns the token of the forms of the page that is being rendered. */
export const pageFormToken = async (): Promise<string> => (await headers()).get(formTokenHeader) ?? ''

/** Returns the address of the page that is being rendered, with its query. */
export const pageAddress = async (): Promise<string> => (await headers()).get(pathHeader) ?? ''

/** Returns how the form ended that led to this page; null if it was opened in another way. */
export const pageOutcome = cache(async (): Promise<Outcome | null> => {
  const requestHeaders = await headers()
  const get = readCookies(requestHeaders.get('cookie'))
  return readOutcome({ get }, requestHeaders.get(pathHeader) ?? '')
})
