import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from 'oidc-provider'
import { buildContext } from '@/lib/context/build'
import { cookieJar } from '@/lib/context/cookies'
import { failureOf as answerOf } from '@/lib/kernel/http/failure'
import { isOwnOrigin } from '@/lib/kernel/http/origin'
import { sendsDeviceForm } from '@/lib/oidc/provider/device'
import { readForm } from '@/lib/oidc/provider/form'
import { interact } from '@/lib/oidc/provider/interaction'
import { type Failure, failureOf, failurePage, pagePolicy } from '@/lib/oidc/provider/pages'
import { addressOfForm } from '@/lib/oidc/provider/post'
import { type OidcRequest, remember } from '@/lib/oidc/provider/request'
import { interactionPath, issuer, oidcProvider } from '@/lib/oidc/provider/service'
import { addressVerdict } from '@/lib/platform/access-lists/service'

const discovery = '/.well-known/openid-configuration'
const mount = '/oidc'

/** The request's context is of the host that was asked for, although the provider is told its own. */
function requestFor({ headers: given }: IncomingMessage): OidcRequest {
  // the provider is told another host than was asked for
  const asked = { ...given }
  const jar = cookieJar(given.cookie ?? null)
  let composed: ReturnType<typeof buildContext> | undefined
  const headersOf = () => {
    const headers = new Headers()
    for (const [name, value] of Object.entries(asked)) if (value) headers.set(name, String(value))
    return headers
  }
  const ctx = async () => {
    composed ??= buildContext(headersOf(), jar.cookies)
    return (await composed).ctx
  }
  return {
    ctx,
    cookieHeaders: jar.headers,
    isOwn: async () => isOwnOrigin(headersOf(), (await ctx()).domain.origin),
  }
}

const codes: Record<number, string> = { 403: 'access_denied', 503: 'temporarily_unavailable' }

async function fail(req: IncomingMessage, res: ServerResponse, request: OidcRequest, status: number, kind: Failure) {
  const html = /\btext\/html\b/.test(req.headers.accept ?? '')
  // who asks may be in the very store that is away
  const page = html
    ? await request.ctx().then(
        (ctx) => failurePage(ctx, kind),
        () => null,
      )
    : null
  res.writeHead(status, {
    'content-type': page ? 'text/html; charset=utf-8' : 'application/json',
    'cache-control': 'no-store',
  })
  res.end(page ?? JSON.stringify({ error: codes[status] ?? 'invalid_request' }))
}

/** The status of what was thrown: OAuth's own, 503 for a store that is away, else 500. */
const statusOf = (error: unknown) =>
  error instanceof errors.OIDCProviderError ? error.statusCode : answerOf(error).status

/** The path as the provider knows it, below its mount. */
const pathFor = (url: string) =>
  url.startsWith('/.well-known/') ? discovery : url.slice(mount.length).replace(/^(?=\?|$)/, '/')

async function answer(req: IncomingMessage, res: ServerResponse, request: OidcRequest): Promise<void> {
  const ip = String(req.headers['x-platform-ip'] ?? '')
  if ((await addressVerdict(ip, new Date())) === 'denied') return fail(req, res, request, 403, 'blocked')

  // addresses in answers are made of these: they are the issuer's, whatever was asked for
  const { host } = new URL(issuer())
  req.headers.host = host
  req.headers['x-forwarded-host'] = host
  const url = req.url ?? ''
  if (url.startsWith(interactionPath)) {
    const [uid = '', action] = (url.split('?', 1)[0] ?? '').slice(interactionPath.length).split('/')
    if (req.method === 'POST' && action === 'consent') {
      if (!(await request.isOwn())) return fail(req, res, request, 403, 'other')
      return interact(req, res, uid, (await readForm(req)).get('decision') === 'allow' ? 'allow' : 'refuse')
    }
    if (req.method !== 'GET') return fail(req, res, request, 405, 'other')
    return interact(req, res, uid, action === 'back' ? 'back' : null)
  }
  const address = await addressOfForm(req)
  if (address) {
    res.writeHead(303, { location: address, 'cache-control': 'no-store' }).end()
    return
  }
  if (sendsDeviceForm(req.method, url) && !(await request.isOwn())) return fail(req, res, request, 403, 'other')
  const { handle } = await oidcProvider()
  req.url = pathFor(url)
  Object.assign(req, { originalUrl: `${mount}${req.url}` })
  await handle(req, res)
}

/**
 * Answers what belongs to the OpenID Provider: its own addresses, its discovery, interactions with people. Throws
 * what is nobody's fault but ours.
 */
export async function handleOidc(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const request = requestFor(req)
  remember(req, request)
  res.setHeader('content-security-policy', pagePolicy)
  try {
    await answer(req, res, request)
  } catch (error) {
    const status = statusOf(error)
    if (status === 500 || res.headersSent) throw error
    await fail(req, res, request, status, failureOf(error))
  }
}
