import { keyedHash } from '@/lib/base/crypto/encryption'
import type { Attempt } from './attempt'

/** What a try is counted by: who was typed, whose account that is, and whether it knows the browser. */
export type Tried = {
  state: Pick<Attempt['state'], 'idAttribute' | 'identifier'>
  account: Pick<NonNullable<Attempt['account']>, 'id'> | null
  knownDevice: string | null
}

/**
 * Returns the key under which tries of an account are counted: one for all browsers, and one for each known browser.
 */
export const accountKey = (userId: string, knownDevice: string | null) =>
  knownDevice ? `account ${userId} ${knownDevice}` : `account ${userId}`

/**
 * Returns the key under which an attempt's tries are counted silently: the account's, else the hash of what was typed.
 */
export const subjectOf = ({ state, account, knownDevice }: Tried) =>
  account ? accountKey(account.id, knownDevice) : keyedHash('identifiers', `${state.idAttribute} ${state.identifier}`)
