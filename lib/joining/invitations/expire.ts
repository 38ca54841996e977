import { randomUUID } from 'node:crypto'
import { db, type Transaction } from '@/db/client'
import { type AuditContext, auditMany } from '@/lib/base/audit/audit'
import { invitationEntity } from './entity'
import { deactivateInvitations, deleteOldInvitations, lockExpiredInvitations } from './queries'

const batch = 200

/** Closes these expired invitations and records an audit event of each. */
export async function deactivate(tx: Transaction, ctx: AuditContext, ids: string[]) {
  if (ids.length === 0) return
  await deactivateInvitations(tx, ids)
  const [before, after] = [{ status: 'active' }, { status: 'deactivated' }] as const
  await auditMany(
    tx,
    ctx,
    invitationEntity,
    ids.map((id) => ({ id, before, after })),
  )
}

/** Closes all expired invitations. Their links answer that they have expired even before this runs. */
export async function expireInvitations(now = new Date()) {
  const ctx: AuditContext = { ip: '', user: null, requestId: randomUUID(), now: () => now }
  for (;;) {
    const closed = await db().transaction(async (tx) => {
      const ids = await lockExpiredInvitations(tx, now, batch)
      await deactivate(tx, ctx, ids)
      return ids.length
    })
    if (closed < batch) return
  }
}

/**
 * Deletes invitations that were accepted, declined, revoked or expired before `before`
 * (docs/rules/retention.md#tables-about-people).
 */
export const removeOldInvitations = (before: Date): Promise<void> => deleteOldInvitations(before)
