import type { Ctx } from '@/lib/base/context/ctx'
import { toAppError } from '@/lib/base/http/failure'
import { readForm } from '@/lib/base/http/read'
import { log } from '@/lib/base/runtime/log'
import { beginAtProvider, handleProviderAnswer } from '@/lib/directory-sync/provider-sign-in/service'
import { handleProviderLogout } from '@/lib/directory-sync/provider-sign-in/sign-out'
import { buildContext } from './build'
import { cookieJar } from './cookies'

type Arguments = { params: Promise<{ id: string }> }
type Step = (ctx: Ctx, id: string, search: URLSearchParams, site: string | null) => Promise<string>

/**
 * Returns a route that runs a step and redirects to the address that it returns: people visit these routes and get no
 * JSON.
 */
const redirecting =
  (step: Step) =>
  async (request: Request, { params }: Arguments): Promise<Response> => {
    const jar = cookieJar(request.headers.get('cookie'))
    const { ctx } = await buildContext(request.headers, jar.cookies)
    const { id } = await params
    const location = await step(ctx, id, new URL(request.url).searchParams, request.headers.get('sec-fetch-site'))
    // the address contains a code and a state, which nobody else may read
    const headers = new Headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    for (const cookie of jar.headers()) headers.append('set-cookie', cookie)
    return new Response(null, { status: 303, headers })
  }

/** Starts a sign-in at an identity provider, and redirects there. */
export const providerStartRoute = redirecting(beginAtProvider)

/** Handles the answer of an identity provider, and redirects. */
export const providerCallbackRoute = redirecting(handleProviderAnswer)

/**
 * Handles a logout token that an identity provider posts. Answers 200, or 400 as
 * OpenID Connect Back-Channel Logout 1.0, section 2.8, says; no answer tells whether a person was signed in.
 */
export async function providerLogoutRoute(request: Request, { params }: Arguments): Promise<Response> {
  const headers = new Headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
  try {
    // an identity provider sends no cookies; those of other callers are ignored
    const { ctx } = await buildContext(request.headers, cookieJar(null).cookies)
    const token = (await readForm(request, 64 * 1024)).get('logout_token') ?? ''
    await handleProviderLogout(ctx, (await params).id, token)
    return new Response('{}', { status: 200, headers })
  } catch (error) {
    const { status, retryAfter } = toAppError(error)
    if (status >= 500) log.error({ err: error }, 'a logout token was not handled')
    if (retryAfter !== undefined) headers.set('retry-after', String(Math.max(1, Math.ceil(retryAfter))))
    return new Response(JSON.stringify({ error: 'invalid_request' }), { status, headers })
  }
}
