import { z } from 'zod'
import { requireAccess } from '../context/access'
import type { Ctx } from '../context/ctx'
import type { Contract, ServiceInput, ServiceOutput } from '../contracts/contract'
import { answerRuleOf, type GivenFile } from '../contracts/file'
import { AppError } from '../runtime/errors'
import { log } from '../runtime/log'
import { fileResponse } from './download'
import { toAppError } from './failure'
import { type Answer, runOnce } from './idempotency'
import { isOwnOrigin } from './origin'
import { parseOrThrow, readBody, readQuery } from './read'
import { type ReceivedBody, readUpload, withUploadSlot } from './upload'

export type RequestContext = { ctx: Ctx; cookieHeaders(): string[] }
type RouteArguments = { params: Promise<Record<string, string | string[] | undefined>> }
/** `serve` is the service function: tests compare its own access check with that of the contract. */
export type RouteHandler = ((request: Request, args: RouteArguments) => Promise<Response>) & {
  serve: (ctx: Ctx, input: never) => Promise<unknown>
}

const noQuery = z.strictObject({})

const headersOf = (requestId: string) =>
  new Headers({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': requestId,
  })

/** Returns the challenge for a caller with a bearer token (RFC 6750); undefined for other callers. */
function challengeOf({ status, code }: AppError, ctx: Ctx | undefined): string | undefined {
  if (status === 401 && code === 'invalidToken') return 'Bearer error="invalid_token"'
  return status === 403 && ctx?.service ? 'Bearer error="insufficient_scope"' : undefined
}

/** Returns the answer of a failed call (docs/rules/rest.md#failures): codes, no sentences. */
function failureResponse(error: AppError, requestId: string, challenge: string | undefined): Response {
  const headers = headersOf(requestId)
  if (challenge) headers.set('www-authenticate', challenge)
  if (error.retryAfter !== undefined) headers.set('retry-after', String(Math.max(1, Math.ceil(error.retryAfter))))
  const body = { code: error.code, message: error.message, requestId, data: error.data }
  return new Response(JSON.stringify(body), { status: error.status, headers })
}

/** Returns the body for a value. If the contract names a `list`, the value may be that list, unless it is empty. */
const wholeBody = ({ list }: Contract, value: unknown) =>
  list && Array.isArray(value) && value.length > 0 ? { [list]: value } : value

/** Reads the body in the form that the contract declares, and runs the work with it. Then deletes the files in it. */
async function withBody<T>(
  request: Request,
  contract: Contract,
  ctx: Ctx,
  work: (received: Omit<ReceivedBody, 'close'>) => Promise<T>,
): Promise<T> {
  if (!contract.body) return work({ value: undefined, stamp: '' })
  if (!contract.content) {
    const { value, text } = await readBody(request, contract)
    return work({ value, stamp: text })
  }
  return withUploadSlot(ctx, async () => {
    const { close, ...received } = await readUpload(request, contract)
    try {
      return await work(received)
    } finally {
      await close()
    }
  })
}

/**
 * Returns `route(contract, serve)`, which makes the handler of every call: it checks origin and access, parses params,
 * query and body, runs the service function, checks its answer against the contract, and turns errors into statuses.
 */
export const createRoute =
  (contextOf: (request: Request) => Promise<RequestContext>) =>
  <C extends Contract>(
    contract: C,
    serve: (ctx: Ctx, input: ServiceInput<C>) => Promise<ServiceOutput<C>>,
  ): RouteHandler =>
    Object.assign(
      async (request: Request, { params }: RouteArguments) => {
        let context: RequestContext | undefined
        try {
          context = await contextOf(request)
          const { ctx } = context
          // browsers never send a bearer token on their own, so those calls need no check of the origin
          const isWrite = contract.method !== 'GET' || contract.acts
          // a call that needs a person but has none fails at the check of access, which answers 401
          const needsOriginCheck = ctx.user !== null || contract.access === 'public'
          if (isWrite && needsOriginCheck && !ctx.service && !isOwnOrigin(request.headers, ctx.domain.origin))
            throw new AppError(403, 'forbiddenOrigin')
          requireAccess(ctx, contract.access, contract.method)
          if (ctx.terms?.length && contract.access !== 'public' && !contract.beforeTerms)
            throw new AppError(403, 'termsRequired', { termsRequired: [...ctx.terms] })

          const input: Record<string, unknown> = {}
          const search = new URL(request.url).searchParams
          if (contract.params) input.params = parseOrThrow(contract.params, await params)
          // a call without query parameters refuses any, like a body refuses unknown keys
          const query = parseOrThrow(contract.query ?? noQuery, readQuery(search))
          if (contract.query) input.query = query
          const runServiceFunction = async (): Promise<Answer> => {
            const output = contract.response.safeParse(await serve(ctx, input as ServiceInput<C>))
            if (output.success) return { status: 200, body: output.data }
            throw new Error(`${contract.name} answers outside its contract: ${z.prettifyError(output.error)}`)
          }
          const key = contract.method === 'POST' && !contract.sensitive ? request.headers.get('idempotency-key') : null
          const answer = await withBody(request, contract, ctx, async ({ value, stamp }) => {
            if (contract.body) input.body = parseOrThrow(contract.body, wholeBody(contract, value))
            return key
              ? runOnce(ctx, key, `${contract.name} ${request.url} ${stamp}`, runServiceFunction)
              : runServiceFunction()
          })

          const headers = headersOf(ctx.requestId)
          for (const cookie of context.cookieHeaders()) headers.append('set-cookie', cookie)
          const rule = answerRuleOf(contract.response)
          if (!rule) return new Response(JSON.stringify(answer.body), { status: answer.status, headers })
          const { name: call } = contract
          const headOnly = request.method === 'HEAD'
          return await fileResponse(answer.body as GivenFile, rule, {
            headers,
            requestId: ctx.requestId,
            call,
            headOnly,
          })
        } catch (error) {
          const requestId = context?.ctx.requestId ?? request.headers.get('x-platform-request-id') ?? ''
          const failure = toAppError(error)
          if (failure.status >= 500) log.error({ err: error, requestId, call: contract.name }, 'call failed')
          else
            log.debug({ requestId, call: contract.name, status: failure.status, failure: failure.code }, 'call refused')
          const response = failureResponse(failure, requestId, challengeOf(failure, context?.ctx))
          // a refused sign-in step may still have changed the attempt, so its cookie is sent
          for (const cookie of context?.cookieHeaders() ?? []) response.headers.append('set-cookie', cookie)
          return response
        }
      },
      { serve },
    )
