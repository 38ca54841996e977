import { CallError } from '@/lib/base/http/client'

/** The error codes of a link that became invalid while its page was open. */
const codes = new Set(['linkUsed', 'canceledError', 'accessError', 'notFound', 'conflict', 'registrationDisabled'])

/**
 * Makes a call of a link's page. If the link became invalid, it renders the page again, which shows the reason, and
 * returns undefined. `others` are more codes that mean this. Throws all other errors.
 */
export async function unlessDead<T>(send: () => Promise<T>, others: readonly string[] = []): Promise<T | undefined> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof CallError && (codes.has(error.code) || others.includes(error.code)))) throw error
    window.location.reload()
    return undefined
  }
}
