import { AddressBlocked } from '@/lib/base/http/external-fetch'
import { callExternal } from '@/lib/network/outgoing-calls/service'
import { storeCall } from './queries'

type RequestOptions = Parameters<typeof callExternal>[1]

/** Returns the code or name of an error, without its message, which may contain the address with its query. */
const nameOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'error'
}

/**
 * Calls an address of a provider by the rule of outgoing calls. Returns the result of `read` for the whole answer.
 * Records the call without its query and bodies, unless `providerId` is null. Throws what the connection and `read`
 * throw.
 */
export async function callProvider<T>(
  providerId: string | null,
  address: string,
  options: RequestOptions,
  { longest, largest, read }: { longest: number; largest: number; read: (answer: Response, text: string) => T },
): Promise<T> {
  const startedAt = performance.now()
  const path = URL.canParse(address) ? new URL(address).pathname : address
  const call = { at: new Date(), method: options.method ?? 'GET', path, status: null as number | null }
  const storeResult = (fault: string | null) =>
    providerId
      ? storeCall({ ...call, providerId, duration: Math.round(performance.now() - startedAt), fault })
      : Promise.resolve()
  try {
    const answer = await callExternal(address, { ...options, signal: AbortSignal.timeout(longest) }, largest)
    call.status = answer.status
    const result = read(answer, await answer.text())
    await storeResult(null)
    return result
  } catch (error) {
    await storeResult(
      error instanceof AddressBlocked ? 'blocked' : error instanceof SyntaxError ? 'no JSON' : nameOf(error),
    )
    throw error
  }
}
