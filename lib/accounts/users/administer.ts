import type { Transaction } from '@/db/client'
import { requireChangeable } from '@/lib/access/rights/service'
import { requireUnchanged } from '@/lib/base/audit/change'
import type { Ctx } from '@/lib/base/context/ctx'
import { notFound } from '@/lib/base/runtime/errors'
import { isUser, userRows } from './queries'

/**
 * Locks an account for a change by an administrator. Every such change begins with it; one that may end somebody's
 * being an administrator calls it inside `keepingAdministrator`. Throws 404 for an unknown account, 403 forbiddenUser
 * for one that has or may get a method which the caller lacks, and 409 if it has changed since `updatedAt`
 * (docs/rules/people.md#administration-of-users).
 */
export async function lockAdministered(tx: Transaction, ctx: Ctx, userId: string, updatedAt?: string) {
  const row = await userRows.lock(tx, userId)
  const account = requireUnchanged(row)
  await requireChangeable(tx, ctx, [userId])
  return requireUnchanged(account, updatedAt)
}

/** Throws 404 for an unknown account, before a change locks what it needs besides the account. */
export async function requireAccount(tx: Transaction, userId: string): Promise<void> {
  if (!(await isUser(tx, userId))) throw notFound()
}
