import type { CodeFlow } from '@/lib/access/authentication-schemas/flow-ids'

/**
 * Returns the subject of codes that were requested for a typed identifier, for all purposes. The answer shows its
 * limit.
 */
export const requestSubject = (flow: CodeFlow, kind: string, identifier: string) => `${flow} ${kind} ${identifier}`

/**
 * Returns the same subject for a browser that the account knows. `account` is the key under which its entries are
 * counted there.
 */
export const browserRequestSubject = (flow: CodeFlow, account: string) => `${flow} of ${account}`

/** Returns the subject of codes that were sent to a receiver, separately for each known browser. */
export const receiverSubject = (flow: CodeFlow, to: string, knownDevice: string | null = null) =>
  knownDevice ? `${flow} ${to} ${knownDevice}` : `${flow} ${to}`
