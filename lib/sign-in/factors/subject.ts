import type { IdAttributeName } from '@/lib/base/context/ctx'
import { keyedHash } from '@/lib/base/crypto/encryption'

/**
 * The data by which entries are counted: the typed identifier, its account, and the browser if the account knows it.
 */
export type EntrySubject = {
  /** `identifier` is normalized. */
  state: { idAttribute: IdAttributeName; identifier: string }
  account: { id: string } | null
  /** Digest of the device cookie of a browser that the account knows; null in another one. */
  knownDevice: string | null
}

/**
 * Returns the key under which entries of an account are counted: one for all unknown browsers, and one for each known
 * browser.
 */
export const accountKey = (userId: string, knownDevice: string | null) =>
  knownDevice ? `account ${userId} ${knownDevice}` : `account ${userId}`

/**
 * Returns the key under which an attempt's entries are counted without a sign in the answer: that of the account, else
 * the hash of the typed identifier.
 */
export const subjectOf = ({ state, account, knownDevice }: EntrySubject) =>
  account ? accountKey(account.id, knownDevice) : keyedHash('identifiers', `${state.idAttribute} ${state.identifier}`)
