import { digest } from '@/lib/base/crypto/encryption'
import { CallError, callAddress } from '@/lib/base/http/client'
import { toAppError } from '@/lib/base/http/failure'
import { browserCookie, onceOf, takeFormToken, tokenFault } from '@/lib/base/http/form-token'
import { isOwnOrigin } from '@/lib/base/http/origin'
import { FailedAt, outcomeCookies, type PageForm, type PostedForm } from '@/lib/base/http/page-form'
import { readForm } from '@/lib/base/http/read'
import { AppError } from '@/lib/base/runtime/errors'
import { log } from '@/lib/base/runtime/log'
import { requestContext } from '../bearer'
import { cookieName } from '../cookies'
import { answerRest } from '../rest'
import { mayLeave, pageLeadingTo } from './leave'
import { removeOutcome, storeOutcome } from './outcome'
import { formsAt } from './pages'

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

const isOutcome = (sentName: string) => outcomeCookies.some((name) => cookieName(name) === sentName)

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
    /** Adds cookies that the form itself sets. Others that a call has set are newer: the form began before it. */
    add(setCookies: string[]) {
      for (const line of setCookies) {
        const name = line.slice(0, line.indexOf('='))
        if (!lines.has(name) || isOutcome(name)) lines.set(name, line)
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

/** The answer to a form: where the browser goes, the cookies that it gets, and the status of what the form did. */
type Answered = { to: string; cookies: string[]; status: number }

/**
 * The forms that are being answered, each with a digest of what was sent. A second click, which sends the same, gets the
 * answer of the first. Another content could be a guess: it gets no answer, and ends this for everybody after it.
 */
const answering = new Map<string, { sent: string; answer: Promise<Answered> }>()

/**
 * Answers a form that a browser posted to the address of a public page: makes the calls of the form and sends the browser
 * on, to the page itself if something failed. A form is sent once: its token is bound to the browser. Returns 303; 200
 * with a page that leads elsewhere, or with the address as JSON for a script; 403 for a form of another site; 405 if the
 * page has no forms. `ends` is called with the status of what the form did.
 */
export async function answerForm(request: Request, ends: (status: number) => void = () => {}): Promise<Response> {
  // the cookies say who sends a form; a bearer token must not replace them
  request.headers.delete('authorization')
  const url = new URL(request.url)
  const page = formsAt(url.pathname)
  if (!page) return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
  const { ctx, cookieHeaders } = await requestContext(request)
  if (isForeign(request, ctx.domain.origin)) return new Response(null, { status: 403 })
  const browser = browserOf(request)
  url.searchParams.delete('cookies')
  let here = page.sentFrom ? '/' : `${url.pathname}${url.search}`
  let name = ''
  let form: PageForm | undefined
  let fields = new URLSearchParams()

  const answered = (to: string, status = 200): Answered => {
    browser.add(cookieHeaders())
    return { to, cookies: browser.lines(), status }
  }
  const failed = (error: unknown): Answered => {
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
    return answered(to, status)
  }
  const refused = (cause: string): Answered => {
    // a name that no form has is a text that somebody sent
    log.info({ requestId: ctx.requestId, page: page.path, form: form && name, cause }, 'a form was refused')
    return failed(new AppError(400, 'formExpired'))
  }

  const send = async (sent: PageForm): Promise<Answered> => {
    try {
      const call = callerOf(request, browser)
      const to = await sent.send({ ctx, fields, params: page.params, search: url.searchParams, call })
      if (typeof to === 'object') {
        const [code, data, values] = ['', to.tells, keptBy(form, fields)]
        storeOutcome(ctx.cookies, to.to, { form: name, status: 200, code, data, values })
        return answered(to.to)
      }
      // after a choice the page still shows what failed
      if (!page.harmless) removeOutcome(ctx.cookies)
      return answered(to ?? here)
    } catch (error) {
      return failed(error)
    }
  }

  const answer = async (): Promise<Answered> => {
    try {
      fields = await readForm(request, bodyLimit)
      requireOrdinary(fields)
    } catch (error) {
      fields = new URLSearchParams()
      return failed(error)
    }
    here = page.sentFrom?.(fields) ?? here
    const named = fields.getAll('form').at(-1) ?? ''
    name = named.slice(0, 32)
    form = Object.hasOwn(page.forms, named) ? page.forms[named] : undefined
    const token = fields.get('token') ?? ''
    const owner = ctx.cookies.get(browserCookie)
    // a cookie can't tell the page that the browser stores no cookies
    if (!owner) return answered(`${here}${here.includes('?') ? '&' : '?'}cookies=off`)
    if (!form) return refused('unknown form')
    const now = ctx.now().getTime()
    const fault = tokenFault(token, owner, now)
    if (fault && !(fault === 'old' && page.harmless)) return refused(`${fault} token`)
    if (page.harmless) return send(form)
    const once = onceOf(page.path, token)
    const sent = digest([url, request.headers.get('host'), request.headers.get('cookie'), fields].join(' '))
    const first = answering.get(once)
    if (first?.sent === sent) return first.answer
    if (first) {
      answering.delete(once)
      return refused('used token')
    }
    const work = async (named: PageForm) => ((await takeFormToken(once)) ? send(named) : refused('used token'))
    const reply = work(form).finally(() => answering.delete(once))
    answering.set(once, { sent, answer: reply })
    return reply
  }

  const { to, cookies, status } = await answer()
  ends(status)
  const headers = new Headers({ 'cache-control': 'no-store' })
  for (const line of cookies) headers.append('set-cookie', line)
  // the script of a page can't read where a redirect leads
  if (request.headers.get('accept') === 'application/json') return Response.json({ to }, { headers })
  if (mayLeave(to)) return pageLeadingTo(to, ctx, headers)
  headers.set('location', to)
  return new Response(null, { status: 303, headers })
}
