import { z } from 'zod'
import { requireAccess } from '../access'
import type { Ctx } from '../ctx'
import { AppError } from '../errors'
import { log } from '../log'
import type { Contract, VerbInput, VerbOutput } from './contract'
import { failureOf } from './failure'
import { type Answer, once } from './idempotency'
import { isOwnOrigin } from './origin'
import { parseOrThrow, readBody, readQuery } from './read'

export type RequestContext = { ctx: Ctx; cookieHeaders(): string[] }
type RouteArguments = { params: Promise<Record<string, string | string[] | undefined>> }
/** `verb` is there for tests, which hold its own check of access against the contract's. */
export type RouteHandler = ((request: Request, args: RouteArguments) => Promise<Response>) & {
  verb: (ctx: Ctx, input: never) => Promise<unknown>
}

const headersOf = (requestId: string) =>
  new Headers({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': requestId,
  })

/** What a caller with a bearer token is told about it (RFC 6750); others nothing. */
function challengeOf({ status, code }: AppError, ctx: Ctx | undefined): string | undefined {
  if (status === 401 && code === 'invalidToken') return 'Bearer error="invalid_token"'
  return status === 403 && ctx?.service ? 'Bearer error="insufficient_scope"' : undefined
}

/** The answer of a failed call (decisions.md section 5): a code for machines, never a sentence for people. */
function failureResponse(error: AppError, requestId: string, challenge: string | undefined): Response {
  const headers = headersOf(requestId)
  if (challenge) headers.set('www-authenticate', challenge)
  if (error.retryAfter !== undefined) headers.set('retry-after', String(Math.max(1, Math.ceil(error.retryAfter))))
  const body = { code: error.code, message: error.message, requestId, data: error.data }
  return new Response(JSON.stringify(body), { status: error.status, headers })
}

/**
 * Makes the one way in: `route(contract, verb)` checks origin and access, parses params, query and body,
 * runs the verb, holds its answer against the contract and turns errors into statuses.
 */
export const createRoute =
  (contextOf: (request: Request) => Promise<RequestContext>) =>
  <C extends Contract>(contract: C, verb: (ctx: Ctx, input: VerbInput<C>) => Promise<VerbOutput<C>>): RouteHandler =>
    Object.assign(
      async (request: Request, { params }: RouteArguments) => {
        let context: RequestContext | undefined
        try {
          context = await contextOf(request)
          const { ctx } = context
          // a bearer token is not sent by browsers on their own
          if (contract.method !== 'GET' && !ctx.service && !isOwnOrigin(request.headers, ctx.domain.origin))
            throw new AppError(403, 'forbiddenOrigin')
          requireAccess(ctx, contract.access, contract.method)

          const input: Record<string, unknown> = {}
          const search = new URL(request.url).searchParams
          if (contract.params) input.params = parseOrThrow(contract.params, await params)
          // a call without query parameters refuses any, like a body refuses unknown keys
          const query = parseOrThrow(contract.query ?? z.strictObject({}), readQuery(search))
          if (contract.query) input.query = query
          let bodyText = ''
          if (contract.body) {
            const body = await readBody(request, contract)
            bodyText = body.text
            input.body = parseOrThrow(contract.body, body.value)
          }

          const run = async (): Promise<Answer> => {
            const output = contract.response.safeParse(await verb(ctx, input as VerbInput<C>))
            if (output.success) return { status: 200, body: output.data }
            throw new Error(`${contract.name} answers outside its contract: ${z.prettifyError(output.error)}`)
          }
          const key = contract.method === 'POST' && !contract.sensitive ? request.headers.get('idempotency-key') : null
          const answer = key ? await once(ctx, key, `${contract.name} ${request.url} ${bodyText}`, run) : await run()

          const headers = headersOf(ctx.requestId)
          for (const cookie of context.cookieHeaders()) headers.append('set-cookie', cookie)
          return new Response(JSON.stringify(answer.body), { status: answer.status, headers })
        } catch (error) {
          const requestId = context?.ctx.requestId ?? request.headers.get('x-platform-request-id') ?? ''
          const failure = failureOf(error)
          if (failure.status >= 500) log.error({ err: error, requestId, call: contract.name }, 'call failed')
          else
            log.debug({ requestId, call: contract.name, status: failure.status, failure: failure.code }, 'call refused')
          const response = failureResponse(failure, requestId, challengeOf(failure, context?.ctx))
          // a refused step may still have moved the attempt on: its cookie goes along
          for (const cookie of context?.cookieHeaders() ?? []) response.headers.append('set-cookie', cookie)
          return response
        }
      },
      { verb },
    )
