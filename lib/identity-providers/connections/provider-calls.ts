import { AddressBlocked } from '@/lib/base/http/external-fetch'
import { callExternal } from '@/lib/network/outgoing-calls/service'
import { keepCall } from './queries'

type Asked = Parameters<typeof callExternal>[1]

/** Names a failure without what it contains: a message may have the address with its query. */
const nameOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'error'
}

/**
 * Calls an address of a provider by the rule of outgoing calls, and returns what `read` makes of the whole answer. The
 * call is kept without its query and bodies, unless `providerId` is null. Throws what the connection and `read` throw.
 */
export async function callProvider<T>(
  providerId: string | null,
  address: string,
  asked: Asked,
  { longest, largest, read }: { longest: number; largest: number; read: (answer: Response, text: string) => T },
): Promise<T> {
  const begun = performance.now()
  const path = URL.canParse(address) ? new URL(address).pathname : address
  const call = { at: new Date(), method: asked.method ?? 'GET', path, status: null as number | null }
  const end = (fault: string | null) =>
    providerId
      ? keepCall({ ...call, providerId, duration: Math.round(performance.now() - begun), fault })
      : Promise.resolve()
  try {
    const answer = await callExternal(address, { ...asked, signal: AbortSignal.timeout(longest) }, largest)
    call.status = answer.status
    const made = read(answer, await answer.text())
    await end(null)
    return made
  } catch (error) {
    await end(error instanceof AddressBlocked ? 'blocked' : error instanceof SyntaxError ? 'no JSON' : nameOf(error))
    throw error
  }
}
