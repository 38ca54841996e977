import { keyedHash } from '@/lib/kernel/crypto/secrets'
import type { Attempt } from './attempt'

/** An account in everybody's browser, or in one that has signed it in before and is counted on its own. */
export const accountKey = (userId: string, knownDevice: string | null) =>
  knownDevice ? `account ${userId} ${knownDevice}` : `account ${userId}`

/** Whom tries are counted against, silently: the account, or what was typed where there is none. Names nobody. */
export const subjectOf = ({ state, account, knownDevice }: Pick<Attempt, 'state' | 'account' | 'knownDevice'>) =>
  account ? accountKey(account.id, knownDevice) : keyedHash('identifiers', `${state.idAttribute} ${state.identifier}`)
