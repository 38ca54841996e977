import type { Transaction } from '@/db/client'
import { lockUserForProof, removeLinksSince, updateSamePassword, userRows } from './queries'

/** Stores the hash of a password that the person chose, and no longer requires a change. */
export const storePassword = (tx: Transaction, userId: string, passwordHash: string, now: Date) =>
  userRows.update(tx, userId, { passwordHash, passwordChangedAt: now, passwordChangeRequired: false })

/** Replaces the hash of a password by another one of the same password, unless the password has been changed since. */
export const storeStrongerHash = (tx: Transaction, userId: string, hashes: { from: string; to: string }) =>
  updateSamePassword(tx, userId, hashes)

/** Takes the password from an account: it signs in by codes, or by a new password after recovery. */
export const removePassword = (tx: Transaction, userId: string, now: Date) =>
  userRows.update(tx, userId, { passwordHash: null, passwordChangedAt: now })

/**
 * How the e-mail was proven: the flows that this sign-in has proven, and whether the link in the e-mail has just set
 * the password.
 */
export type EmailProof = { proven?: readonly string[] | undefined; setsPassword?: boolean }

/**
 * Locks an account and clears its preparer, because its person has proven the e-mail. A password and a proof of the
 * mobile from the time in doubt end too, the proof unless this sign-in repeats it; links to identity providers from
 * that time are removed. Returns the hash of the password that has ended, or null. Returns undefined and changes
 * nothing if the account has no preparer, or if the person entered such a password and holds no more than the people
 * who may know it (docs/rules/access.md#prepared-accounts). `since` is when the doubt began.
 */
export async function settlePrepared(
  tx: Transaction,
  userId: string,
  { proven = [], setsPassword = false }: EmailProof,
  now: Date,
) {
  const row = await lockUserForProof(tx, userId)
  const since = row?.preparedSince
  if (!since) return undefined
  const isDoubtful = (time: Date | null) => (time ?? row.createdAt) >= since
  const losesPassword = row.passwordHash && isDoubtful(row.passwordChangedAt) && !setsPassword
  if (losesPassword && proven.includes('credentials') && !row.needsEmailProof) return undefined
  const losesMobile = row.mobileVerifiedAt && isDoubtful(row.mobileVerifiedAt) && !proven.includes('sms_code')
  await userRows.update(tx, userId, {
    ...{ preparedBy: null, preparedSince: null, emailVerifiedAt: now },
    ...(losesPassword ? { passwordHash: null, passwordChangedAt: now } : {}),
    ...(losesMobile ? { mobileVerifiedAt: null, mobileEnteredBy: row.preparedBy } : {}),
  })
  await removeLinksSince(tx, userId, since)
  return { password: losesPassword ? row.passwordHash : null, since }
}
