import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { type AccessRequestRow, selectName } from './queries'

/**
 * Returns the error 409 requestDecided for a request that is decided or revoked, with when and by whom. Who decided is
 * told only to people who may decide themselves (docs/rules/access-requests.md#states).
 */
export async function requestDecided(tx: Transaction, ctx: Ctx, row: AccessRequestRow): Promise<AppError> {
  const deciderId = row.status === 'remove' ? row.userId : row.deciderId
  const you = deciderId === ctx.user?.id
  const isOwn = row.userId === ctx.user?.id
  const name = deciderId && (you || !isOwn) ? await selectName(tx, deciderId) : null
  return new AppError(409, 'requestDecided', {
    decided: { at: (row.finishedAt ?? row.updatedAt).toISOString(), by: name ? { name, you } : null },
  })
}
