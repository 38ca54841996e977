import { CallError } from '@/lib/kernel/http/client'

/** The codes for a link that became invalid while its page was open. */
const codes = new Set(['linkUsed', 'canceledError', 'accessError', 'notFound', 'conflict', 'registrationDisabled'])

/**
 * Makes a call of a link's page. If the link has become invalid, the page is rendered again, which shows the reason, and
 * the result is undefined; `others` are further codes that mean this. Throws all other errors.
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
