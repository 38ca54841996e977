import type { Transaction } from '@/db/client'
import { updateSamePassword, updateUser } from './queries'

/** Stores the hash of a password that the person chose, and no longer requires a change. */
export const storePassword = (tx: Transaction, userId: string, passwordHash: string, now: Date) =>
  updateUser(tx, userId, { passwordHash, passwordChangedAt: now, passwordChangeRequired: false })

/** Replaces the hash of a password by another one of the same password, unless the password has been changed since. */
export const storeStrongerHash = (tx: Transaction, userId: string, hashes: { from: string; to: string }) =>
  updateSamePassword(tx, userId, hashes)

/** Takes the password from an account: it signs in by codes, or by a new password after recovery. */
export const removePassword = (tx: Transaction, userId: string, now: Date) =>
  updateUser(tx, userId, { passwordHash: null, passwordChangedAt: now })
