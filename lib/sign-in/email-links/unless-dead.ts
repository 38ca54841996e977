import { CallError } from '@/lib/base/http/client'

/** The codes of a link that became invalid while its page was open. */
const codes = new Set(['linkUsed', 'canceledError', 'accessError', 'notFound', 'conflict'])

/**
 * Makes the call of a link's page. Returns undefined if the link has become invalid: its page, drawn again, says why.
 * Throws all other errors.
 */
export async function unlessDead<T>(send: () => Promise<T>): Promise<T | undefined> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof CallError && codes.has(error.code))) throw error
    return undefined
  }
}
