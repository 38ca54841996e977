import type { IncomingMessage, ServerResponse } from 'node:http'
import { errors } from 'oidc-provider'
import { toAppError } from '@/lib/base/http/failure'
import { isOwnOrigin } from '@/lib/base/http/origin'
import { issuer } from '@/lib/openid/issuer'
import { describe } from '@/lib/openid/server/descriptions'
import { sendsDeviceForm } from '@/lib/openid/server/device'
import { addressOfForm, readForm } from '@/lib/openid/server/form'
import { plainPath, providerMethods } from '@/lib/openid/server/http-methods'
import { type InteractionAction, interact } from '@/lib/openid/server/interaction'
import { plainPolicy, providerFailureOf } from '@/lib/openid/server/pages'
import { type OidcRequest, registerRequest } from '@/lib/openid/server/request'
import { interactionPath, oidcProvider } from '@/lib/openid/server/service'
import { finishTrial } from '@/lib/openid/server/trial'
import { answerOf, answerWith, type ProviderFailure, type ProviderView } from '@/lib/openid/server/view'
import { buildContext } from '@/lib/request/build'
import { cookieJar } from '@/lib/request/cookies'

const discovery = '/.well-known/openid-configuration'
const mount = '/oidc'

/** The context of the request uses the requested host, although the provider sees its own. */
function requestFor({ headers: given }: IncomingMessage): OidcRequest {
  // the provider sees another host than the requested one
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

async function fail(
  req: IncomingMessage,
  res: ServerResponse,
  request: OidcRequest,
  status: number,
  kind: ProviderFailure,
) {
  const html = /\btext\/html\b/.test(req.headers.accept ?? '')
  // the data of the caller may be in the unavailable store
  const readable =
    html &&
    (await request.ctx().then(
      () => true,
      () => false,
    ))
  if (readable) return answerWith(req, status, { kind: 'failure', failure: kind })
  res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  const error = codes[status] ?? 'invalid_request'
  res.end(JSON.stringify({ error, error_description: describe(error) }))
}

async function failMethod(req: IncomingMessage, res: ServerResponse, request: OidcRequest, allowed: readonly string[]) {
  res.setHeader('allow', allowed.join(', '))
  await fail(req, res, request, 405, 'other')
}

/** Returns the status for an error: OAuth's own, 503 for an unavailable store, otherwise 500. */
const statusOf = (error: unknown) =>
  error instanceof errors.OIDCProviderError ? error.statusCode : toAppError(error).status

/** Returns the normalized address, which all code compares. */
function plainUrl(url: string): string {
  const path = url.split('?', 1)[0] ?? ''
  if (!path.startsWith(`${mount}/`)) return url
  return mount + plainPath(path.slice(mount.length)) + url.slice(path.length)
}

/** Returns the path for the provider, without its mount path. */
const pathFor = (url: string) =>
  url.startsWith('/.well-known/') ? discovery : url.slice(mount.length).replace(/^(?=\?|$)/, '/')

/** Reads the fields of an interaction's forms. */
const questions: Record<string, (form: URLSearchParams) => InteractionAction> = {
  consent: (form) => (form.get('decision') === 'allow' ? 'allow' : 'refuse'),
  account: (form) => (form.get('account') === 'same' ? 'same' : 'other'),
}

/** Where discovery at the root redirects, so that clients find the issuer by the platform's address alone. */
const fromRoot: Record<string, () => string> = {
  '/.well-known/openid-configuration': () => `${issuer()}${discovery}`,
  '/.well-known/oauth-authorization-server': () =>
    new URL('/.well-known/oauth-authorization-server/oidc', issuer()).href,
}

async function answer(req: IncomingMessage, res: ServerResponse, request: OidcRequest): Promise<void> {
  // the provider builds addresses in answers from these headers: they must be the issuer's, whatever host was requested
  const { host } = new URL(issuer())
  req.headers.host = host
  req.headers['x-forwarded-host'] = host
  const url = req.url ?? ''
  const leads = fromRoot[url.split('?', 1)[0] ?? '']
  if (leads) {
    if (req.method !== 'GET' && req.method !== 'HEAD') return failMethod(req, res, request, ['GET', 'HEAD'])
    res.writeHead(302, { location: leads(), 'access-control-allow-origin': '*' }).end()
    return
  }
  if (url.startsWith(interactionPath)) {
    const [uid = '', action] = (url.split('?', 1)[0] ?? '').slice(interactionPath.length).split('/')
    const answers = req.method === 'POST' && Object.hasOwn(questions, action ?? '') && questions[action ?? '']
    if (answers) {
      if (!(await request.isOwn())) return fail(req, res, request, 403, 'other')
      return interact(req, res, uid, answers(await readForm(req)))
    }
    if (req.method !== 'GET')
      return failMethod(req, res, request, Object.hasOwn(questions, action ?? '') ? ['POST'] : ['GET'])
    return interact(req, res, uid, action === 'back' ? 'back' : null)
  }
  const allowed = providerMethods(pathFor(url.split('?', 1)[0] ?? ''))
  if (!allowed) return fail(req, res, request, 404, 'other')
  if (!allowed.includes(req.method ?? '')) return failMethod(req, res, request, allowed)
  if (req.method === 'OPTIONS' && !req.headers['access-control-request-method']) {
    // an OPTIONS that is no preflight of a browser: the provider would find no such address
    res.writeHead(204, { allow: allowed.join(', ') }).end()
    return
  }
  const address = await addressOfForm(req)
  if (address) {
    res.writeHead(303, { location: address, 'cache-control': 'no-store' }).end()
    return
  }
  if (sendsDeviceForm(req.method, url) && !(await request.isOwn())) return fail(req, res, request, 403, 'other')
  const path = pathFor(url)
  if (path.split('?', 1)[0] === '/trial') return finishTrial(req, res, path.slice('/trial'.length))
  const { handle } = await oidcProvider()
  req.url = pathFor(url)
  Object.assign(req, { originalUrl: `${mount}${req.url}` })
  await handle(req, res)
}

/** Renders a page of the provider as the answer to a request. */
export type DrawView = (req: IncomingMessage, res: ServerResponse, page: Drawing) => Promise<void>
type Drawing = { view: ProviderView; status: number }

/**
 * Answers requests to the OpenID Provider: its own addresses, its discovery, and interactions with people, whose pages
 * `draw` renders. Throws only internal errors.
 */
export async function handleOidc(req: IncomingMessage, res: ServerResponse, draw: DrawView): Promise<void> {
  const { host } = req.headers
  const request = requestFor(req)
  const asked = plainUrl(req.url ?? '')
  req.url = asked
  registerRequest(req, request)
  res.setHeader('content-security-policy', plainPolicy)
  try {
    await answer(req, res, request)
  } catch (error) {
    const status = statusOf(error)
    if (status === 500 || res.headersSent) throw error
    await fail(req, res, request, status, providerFailureOf(error, asked))
  }
  const page = answerOf(req)
  if (!page || res.headersSent) return
  // pages belong to the requested domain
  Object.assign(req.headers, { host })
  delete req.headers['x-forwarded-host']
  for (const name of ['content-type', 'content-length', 'transfer-encoding']) res.removeHeader(name)
  res.setHeader('cache-control', 'no-store')
  await draw(req, res, page)
}
