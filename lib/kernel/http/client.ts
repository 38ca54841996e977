import type { ErrorData, FieldError } from '../errors'
import type { CallInput, CallOutput, Contract } from './contract'

/** The failed answer of a call; `status` 0 means that no answer came. */
export class CallError extends Error {
  override name = 'CallError'
  constructor(
    readonly status: number,
    readonly code: string,
    readonly data: ErrorData,
    readonly requestId: string | undefined,
    readonly retryAfter: number | undefined,
  ) {
    super(code)
  }
  get errorList(): FieldError[] {
    return this.data.errorList ?? []
  }
}

type AnyContract = Contract
type Parts = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }

/** The address of a call with its path and query parameters filled in; arrays repeat their key. */
function callAddress(path: string, { params, query }: Parts) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(name, String(one))
  return `/api/v1/platform${filled}${search.size ? `?${search}` : ''}`
}

/**
 * Makes a call of ours from the browser, typed by its contract: `call(contract, input)`, or on pages that must
 * stay light `call<typeof contract>(address, input)` with the contract's method and path alone.
 * Gives the answer; throws CallError with the answer's code, or with status 0 when none came.
 */
export async function call<C extends AnyContract>(
  contract: C | Pick<Contract, 'method' | 'path'>,
  ...[input, options]: keyof CallInput<C> extends never
    ? [input?: undefined, options?: { signal?: AbortSignal; idempotencyKey?: string }]
    : [input: CallInput<C>, options?: { signal?: AbortSignal; idempotencyKey?: string }]
): Promise<CallOutput<C>> {
  const parts = (input ?? {}) as Parts
  const headers: Record<string, string> = { accept: 'application/json' }
  if (parts.body !== undefined) headers['content-type'] = 'application/json'
  if (options?.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey

  let response: Response
  try {
    response = await fetch(callAddress(contract.path, parts), {
      method: contract.method,
      headers,
      body: parts.body === undefined ? undefined : JSON.stringify(parts.body),
      signal: options?.signal,
      cache: 'no-store',
    })
  } catch (error) {
    if (options?.signal?.aborted) throw error
    throw new CallError(0, 'techError', {}, undefined, undefined)
  }
  const answer = await response.json().catch(() => undefined)
  if (response.ok && answer !== undefined) return answer as CallOutput<C>
  throw new CallError(
    response.status,
    answer?.code ?? 'techError',
    answer?.data ?? {},
    answer?.requestId,
    Number(response.headers.get('retry-after')) || undefined,
  )
}
