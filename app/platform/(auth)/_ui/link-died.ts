import { CallError } from '@/lib/base/http/client'

/** The error codes of a link that became invalid while its page was open. */
const codes = new Set(['linkUsed', 'canceledError', 'accessError', 'notFound', 'conflict', 'registrationDisabled'])

/**
 * Makes a call of a link's page. If the link became invalid, it refreshes the page, which then shows the reason, and
 * returns undefined. `otherCodes` are further codes with this meaning. Throws all other errors.
 */
export async function unlessDead<T>(
  send: () => Promise<T>,
  otherCodes: readonly string[] = [],
): Promise<T | undefined> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof CallError && (codes.has(error.code) || otherCodes.includes(error.code)))) throw error
    window.location.reload()
    return undefined
  }
}
