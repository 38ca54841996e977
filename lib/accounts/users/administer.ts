import type { Transaction } from '@/db/client'
import { requireChangeable } from '@/lib/access/rights/service'
import { requireUnchanged } from '@/lib/base/audit/change'
import type { Ctx } from '@/lib/base/context/ctx'
import { notFound } from '@/lib/base/runtime/errors'
import { isUser, lockUser } from './queries'

/**
 * Locks somebody's account for a change by an administrator; every such change begins with it, after
 * `keepingAdministrator` if it may end somebody's being one. Throws 404 for an unknown account, 403 forbiddenUser for one
 * that has a method which the caller lacks or may come to one, and 409 if it has changed since `updatedAt`
 * (docs/rules/people.md#administration-of-users).
 */
export async function lockAdministered(tx: Transaction, ctx: Ctx, userId: string, updatedAt?: string) {
  const row = await lockUser(tx, userId)
  const found = requireUnchanged(row)
  await requireChangeable(tx, ctx, [userId])
  return requireUnchanged(found, updatedAt)
}

/** Throws 404 for an unknown account, before a change locks what it needs besides the account. */
export async function requireAccount(tx: Transaction, userId: string): Promise<void> {
  if (!(await isUser(tx, userId))) throw notFound()
}
