import type { Database, Transaction } from '@/db/client'
import type { IdAttributeName } from '@/lib/base/context/ctx'
import { keyedHash } from '@/lib/base/crypto/encryption'
import { addressLimits } from '@/lib/base/limits/address-limits'
import { type Limit, settlePoints, type Tier, takeWithHidden, waitsOf } from '@/lib/base/limits/limits'
import { failuresInRow, removeFailures, selectFailures } from '../queries'
import { accountKey, type EntrySubject, subjectOf } from '../subject'

/**
 * Limits of wrong passwords: the wait grows from seconds to minutes, and at the highest limit the flow is closed for 15
 * minutes.
 */
const accountTiers: Tier[] = [
  { points: 4, duration: 10 },
  { points: 7, duration: 120 },
  { points: 10, duration: 900 },
]
const addressTiers: Tier[] = [
  { points: 20, duration: 10 },
  { points: 60, duration: 120 },
  { points: 120, duration: 900 },
]

const limitOf = (name: string, text: string): Limit => ({
  name,
  key: keyedHash('identifiers', text),
  tiers: accountTiers,
})

/** Returns the limit that answers show: it counts the typed identifier, separately for each known browser. */
const typedLimit = (kind: IdAttributeName, identifier: string, knownDevice: string | null) =>
  limitOf('password-typed', `${kind} ${identifier} ${knownDevice ?? ''}`)
const typedLimitOf = ({ state, knownDevice }: EntrySubject) =>
  typedLimit(state.idAttribute, state.identifier, knownDevice)
const accountLimit = (subject: string) => limitOf('password-subject', subject)
/** The limits on wrong passwords of an address. */
export const addressLimit = (ip: string) => addressLimits('password-address', ip, addressTiers)

/**
 * Counts an entry before the password is compared, so that parallel entries can't exceed the limits. Throws 429 by
 * address and by typed identifier, with or without an account. Returns false if the account has had too many entries
 * under all its identifiers: then the caller must not compare the password, and must answer as for a wrong one.
 */
export const countPasswordEntry = (entry: EntrySubject, ip: string): Promise<boolean> =>
  takeWithHidden([...addressLimit(ip), typedLimitOf(entry)], [accountLimit(subjectOf(entry))])

/** After the right password, deletes the account's counts and gives the address its point back. */
export const forgivePasswordEntries = (entry: EntrySubject, ip: string) =>
  settlePoints({ back: addressLimit(ip), forgotten: [typedLimitOf(entry), accountLimit(subjectOf(entry))] })

/** Returns the wrong passwords of an account in a row, by the key under which they are counted. */
export const failuresOf = (userId: string) => selectFailures(userId)

/** How many wrong passwords in a row close the password flow of an account. */
export const closedAfter = failuresInRow

type Names = { id: string; login: string; email: string | null; mobile: string | null }

/** Returns the limits of an account under all its identifiers, in unknown browsers and in these known ones. */
function limitsOf({ id, login, email, mobile }: Names, knownDevices: readonly (string | null)[]) {
  const identifiers = Object.entries({ login, email, mobile }) as [IdAttributeName, string | null][]
  const browsers = new Set([null, ...knownDevices])
  return [...browsers].flatMap((browser) => [
    accountLimit(accountKey(id, browser)),
    ...identifiers.flatMap(([kind, name]) => (name ? [typedLimit(kind, name.trim().toLowerCase(), browser)] : [])),
  ])
}

/** After a new password, deletes the account's counts in these browsers and in unknown ones. */
export const forgetPasswordEntries = (names: Names, ...knownDevices: (string | null)[]) =>
  settlePoints({ forgotten: limitsOf(names, knownDevices) })

/**
 * Returns for how many milliseconds an account must wait in these browsers because of wrong passwords; 0 if it needn't
 * wait.
 */
export const passwordWait = async (names: Names, knownDevices: readonly string[]): Promise<number> =>
  Math.max(0, ...(await waitsOf(limitsOf(names, knownDevices))))

/** Opens a password flow that wrong passwords have closed, after its owner has proven a code or set a new password. */
export const openPasswordFlow = (tx: Transaction | Database, userId: string) => removeFailures(tx, userId)
