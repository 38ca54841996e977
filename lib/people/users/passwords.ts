import type { Transaction } from '@/db/client'
import { updateSamePassword, updateUser } from './queries'

/** Stores a password that the person chose: from now on nothing asks for a change. */
export const storePassword = (tx: Transaction, userId: string, passwordHash: string, now: Date) =>
  updateUser(tx, userId, { passwordHash, passwordChangedAt: now, passwordChangeRequired: false })

/** Stores another hash of the same password, unless the password has been replaced since. */
export const storeStrongerHash = (tx: Transaction, userId: string, hashes: { from: string; to: string }) =>
  updateSamePassword(tx, userId, hashes)
