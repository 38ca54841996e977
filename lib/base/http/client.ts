import type { CallInput, CallOutput, Contract } from '../contracts/contract'
import type { ErrorData, FieldError } from '../runtime/errors'

/** The failed answer of a call; `status` is 0 if no answer arrived. */
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

/**
 * Returns the address of a call with its path and query parameters; arrays repeat their key, members are `name[key]`.
 */
export function callAddress(path: string, { params, query }: Parts) {
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name])))
  const search = new URLSearchParams()
  const add = (name: string, value: unknown) => {
    if (Array.isArray(value)) for (const item of value) add(name, item)
    else if (typeof value === 'object' && value)
      for (const [key, item] of Object.entries(value)) add(`${name}[${key}]`, item)
    else if (value !== undefined && value !== null) search.append(name, String(value))
  }
  for (const [name, value] of Object.entries(query ?? {})) add(name, value)
  return `/api/v1/platform${filledPath}${search.size ? `?${search}` : ''}`
}

/** Returns a call's body as it is sent; the browser sets the type of a form. */
async function bodyOf(
  content: Contract['content'],
  body: unknown,
): Promise<{ body: BodyInit; type?: string } | undefined> {
  if (body === undefined) return undefined
  if (!content) return { body: JSON.stringify(body), type: 'application/json' }
  if (content === 'form') return { body: (await import('./client-files')).formOf(body as object) }
  return { body: body as Blob, type: (body as Blob).type || 'application/octet-stream' }
}

/** The timeout of a sign-in step: if the network loses the request, a browser alone would wait for minutes. */
const stepTimeout = 30_000

type CallOptions = {
  signal?: AbortSignal
  idempotencyKey?: string
  /** Called with the number of bytes of a file so far. */
  onReceived?: (bytes: number) => void
}

/**
 * Makes one of our calls from the browser, typed by its contract: `call(contract, input)`, or on pages that must stay
 * light `call<typeof contract>(address, input)` with only the method and path of the contract. Files in the body are
 * sent as the contract says; a file in the answer is returned as a whole `File`. Returns the answer. Throws CallError
 * with the code of the answer, or with status 0 if none arrived.
 */
export async function call<C extends AnyContract>(
  contract: C | Pick<Contract, 'method' | 'path' | 'content' | 'returnsFile'>,
  ...[input, options]: keyof CallInput<C> extends never
    ? [input?: undefined, options?: CallOptions]
    : [input: CallInput<C>, options?: CallOptions]
): Promise<CallOutput<C>> {
  const parts = (input ?? {}) as Parts
  const headers: Record<string, string> = { accept: 'application/json' }
  const sent = await bodyOf(contract.content, parts.body)
  if (sent?.type) headers['content-type'] = sent.type
  if (options?.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey

  const stepAbort = contract.path.startsWith('/auth/') && !options?.signal ? new AbortController() : undefined
  const timer = stepAbort && setTimeout(() => stepAbort.abort(), stepTimeout)
  let response: Response
  try {
    response = await fetch(callAddress(contract.path, parts), {
      method: contract.method,
      headers,
      body: sent?.body,
      signal: options?.signal ?? stepAbort?.signal,
      cache: 'no-store',
    })
  } catch (error) {
    if (options?.signal?.aborted) throw error
    throw new CallError(0, 'techError', {}, undefined, undefined)
  } finally {
    clearTimeout(timer)
  }
  if (response.ok && contract.returnsFile) {
    const { fileOf } = await import('./client-files')
    // an answer that broke off is no file
    const file = await fileOf(response, options?.onReceived).catch(() => undefined)
    if (file) return file as CallOutput<C>
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
