import { CallError } from '@/lib/kernel/http/client'

/** What the server says of a link that died while its page was open. */
const codes = new Set(['linkUsed', 'canceledError', 'accessError', 'notFound', 'conflict', 'registrationDisabled'])

/**
 * Does what a link's page sends. Where the link has died meanwhile the page is drawn anew, which tells why; `others`
 * are further codes that mean so. Gives undefined then, and throws what else went wrong.
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
