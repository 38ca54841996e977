import { CallError, callAddress } from '@/lib/base/http/client'
import { toAppError } from '@/lib/base/http/failure'
import { isOwnOrigin } from '@/lib/base/http/origin'
import { FailedAt, type PageForm, type PostedForm } from '@/lib/base/http/page-form'
import { readForm } from '@/lib/base/http/read'
import { AppError } from '@/lib/base/runtime/errors'
import { log } from '@/lib/base/runtime/log'
import { requestContext } from '../bearer'
import { answerRest } from '../rest'
import { mayLeave, pageLeadingTo } from './leave'
import { removeOutcome, storeOutcome } from './outcome'
import { formsAt } from './pages'
import { browserCookie, isFormToken, takeFormToken } from './token'

/** The largest form: as large as the body of a call. */
const bodyLimit = 64 * 1024
/** The most fields of a form, and the most characters of a name and of a value: what reads them may be slow. */
const [mostFields, mostOfName, mostOfValue] = [500, 200, 8_192]

/** Throws 413 for a form that no page of ours sends. */
function requireOrdinary(fields: URLSearchParams) {
  if (fields.size > mostFields) throw new AppError(413)
  for (const [name, value] of fields)
    if (name.length > mostOfName || value.length > mostOfValue) throw new AppError(413)
}

/** Headers that belong to the body of the form, not to those of the calls that it makes. */
const ofBody = ['content-type', 'content-length', 'transfer-encoding', 'idempotency-key', 'authorization']

/** The cookies of a browser while a form is answered: those of the request, and what the calls set. */
function browserOf(request: Request) {
  const pairs = new Map<string, string>()
  for (const pair of (request.headers.get('cookie') ?? '').split('; ')) {
    const [name = '', ...value] = pair.split('=')
    if (name && !pairs.has(name)) pairs.set(name, value.join('='))
  }
  const lines = new Map<string, string>()
  return {
    header: () => [...pairs].map(([name, value]) => `${name}=${value}`).join('; '),
    take(setCookies: string[]) {
      for (const line of setCookies) {
        const [pair = ''] = line.split(';', 1)
        const [name = '', ...value] = pair.split('=')
        lines.set(name, line)
        if (/;\s*max-age=0/i.test(line)) pairs.delete(name)
        else pairs.set(name, value.join('='))
      }
    },
    /** Adds cookies that the form itself sets. What a call has set is newer: the form began before it. */
    add(setCookies: string[]) {
      for (const line of setCookies) {
        const name = line.slice(0, line.indexOf('='))
        if (!lines.has(name)) lines.set(name, line)
      }
    },
    lines: () => [...lines.values()],
  }
}
type Browser = ReturnType<typeof browserOf>

/** Returns the function by which a form makes calls, with the headers of its request. */
function callerOf(request: Request, browser: Browser): PostedForm['call'] {
  return async (contract, input) => {
    const { body, ...parts } = input as Parameters<typeof callAddress>[1] & { body?: unknown }
    const headers = new Headers(request.headers)
    for (const name of ofBody) headers.delete(name)
    headers.set('cookie', browser.header())
    // the token of the form says that one of our pages was sent
    headers.set('sec-fetch-site', 'same-origin')
    if (body !== undefined) headers.set('content-type', 'application/json')
    const address = new URL(callAddress(contract.path, parts), request.url)
    const response = await answerRest(
      new Request(address, {
        method: contract.method,
        headers,
        signal: request.signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    browser.take(response.headers.getSetCookie())
    const answer = await response.json()
    if (response.ok) return answer
    const { code, data, requestId } = answer
    throw new CallError(
      response.status,
      code,
      data,
      requestId,
      Number(response.headers.get('retry-after')) || undefined,
    )
  }
}

/** Returns what a page needs to say why a form failed. */
function failureOf(error: unknown, requestId: string) {
  if (error instanceof CallError) return error
  const { status, code, data, retryAfter } = toAppError(error)
  if (status >= 500) log.error({ err: error, requestId }, 'form failed')
  return { status, code, data, requestId, retryAfter }
}

/** Whether a browser says that the form was sent from elsewhere. Text browsers say nothing. */
const isForeign = ({ headers }: Request, domainOrigin: string) =>
  (headers.has('sec-fetch-site') || headers.has('origin')) && !isOwnOrigin(headers, domainOrigin)

/** Returns the fields whose values the next page shows. */
const keptBy = (form: PageForm | undefined, fields: URLSearchParams) =>
  [...fields].filter(([field]) =>
    form?.keeps.some((name) => name === field || (name.endsWith('.') && field.startsWith(name))),
  )

/** By path and token, the answer that is being made: a second click waits for that of the first. */
const answering = new Map<string, Promise<Response>>()

/**
 * Answers a form that a browser posted to the address of a public page: makes the calls of the form and sends the browser
 * on, to the page itself if something failed. A form is sent once: its token is bound to the browser.
 */
export async function answerForm(request: Request): Promise<Response> {
  // a browser sends its cookies
  request.headers.delete('authorization')
  const url = new URL(request.url)
  const page = formsAt(url.pathname)
  if (!page) return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
  const { ctx, cookieHeaders } = await requestContext(request)
  if (isForeign(request, ctx.domain.origin)) return new Response(null, { status: 403 })
  const browser = browserOf(request)
  url.searchParams.delete('cookies')
  let here = page.sentFrom ? '/' : `${url.pathname}${url.search}`
  // the script of a page can't read where a redirect leads
  const byScript = request.headers.get('accept') === 'application/json'
  const sendOn = (to: string) => {
    browser.add(cookieHeaders())
    const headers = new Headers({ 'cache-control': 'no-store' })
    for (const line of browser.lines()) headers.append('set-cookie', line)
    if (byScript) return Response.json({ to }, { headers })
    if (mayLeave(to)) return pageLeadingTo(to, ctx, headers)
    headers.set('location', to)
    return new Response(null, { status: 303, headers })
  }
  const fail = (name: string, form: PageForm | undefined, fields: URLSearchParams, error: unknown) => {
    const [to, cause] = error instanceof FailedAt ? [error.to, error.cause] : [here, error]
    const { status, code, data, requestId, retryAfter } = failureOf(cause, ctx.requestId)
    storeOutcome(ctx.cookies, to, {
      form: name,
      status,
      code,
      data: data as Record<string, unknown>,
      ...(requestId ? { requestId } : {}),
      ...(retryAfter ? { until: ctx.now().getTime() + retryAfter * 1000 } : {}),
      values: keptBy(form, fields),
    })
    return sendOn(to)
  }

  let fields: URLSearchParams
  try {
    fields = await readForm(request, bodyLimit)
    requireOrdinary(fields)
  } catch (error) {
    return fail('', undefined, new URLSearchParams(), error)
  }
  here = page.sentFrom?.(fields) ?? here
  const name = fields.getAll('form').at(-1) ?? ''
  const form = Object.hasOwn(page.forms, name) ? page.forms[name] : undefined
  const token = fields.get('token') ?? ''
  const owner = ctx.cookies.get(browserCookie)
  // the page can't be told by a cookie that the browser keeps none
  if (!owner) return sendOn(`${here}${here.includes('?') ? '&' : '?'}cookies=off`)
  if (!form || !isFormToken(token, owner, ctx.now().getTime()))
    return fail(name.slice(0, 32), form, fields, new AppError(400, 'formExpired'))

  // a choice of the header leaves the form of the step as it was
  const once = `${page.path} ${token}`
  const first = answering.get(once)
  if (first) return (await first).clone()
  const work = async () => {
    // what was sent has been done: the page says how far it came
    if (!(await takeFormToken(once))) return sendOn(here)
    try {
      const to = await form.send({
        ctx,
        fields,
        params: page.params,
        search: url.searchParams,
        call: callerOf(request, browser),
      })
      if (typeof to === 'object') {
        const { to: address, tells } = to
        storeOutcome(ctx.cookies, address, {
          form: name,
          status: 200,
          code: '',
          data: tells,
          values: keptBy(form, fields),
        })
        return sendOn(address)
      }
      // after a choice the page still shows what failed
      if (!page.sentFrom) removeOutcome(ctx.cookies)
      return sendOn(to ?? here)
    } catch (error) {
      return fail(name, form, fields, error)
    }
  }
  const answer = work().finally(() => answering.delete(once))
  answering.set(once, answer)
  return (await answer).clone()
}
