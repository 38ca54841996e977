import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { type AccessRequestRow, selectName } from './queries'

/**
 * Returns 409 requestDecided for a request that waits no more, with when and by whom it was decided or revoked: people
 * learn who decided only if they decide themselves (docs/rules/access-requests.md#states).
 */
export async function requestDecided(tx: Transaction, ctx: Ctx, row: AccessRequestRow): Promise<AppError> {
  const who = row.status === 'remove' ? row.userId : row.deciderId
  const you = who === ctx.user?.id
  const isOwn = row.userId === ctx.user?.id
  const name = who && (you || !isOwn) ? await selectName(tx, who) : null
  return new AppError(409, 'requestDecided', {
    decided: { at: (row.finishedAt ?? row.updatedAt).toISOString(), by: name ? { name, you } : null },
  })
}
