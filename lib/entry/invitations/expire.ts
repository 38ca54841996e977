import { randomUUID } from 'node:crypto'
import { db, type Transaction } from '@/db/client'
import { type AuditCtx, audit } from '@/lib/kernel/audit'
import { deactivateAll, expiredInvitations } from './queries'

const batch = 200

/** Closes these invitations, whose time is up, with their history. */
export async function deactivate(tx: Transaction, ctx: AuditCtx, ids: string[]) {
  if (ids.length === 0) return
  await deactivateAll(tx, ids)
  const changes = { status: { previous: 'active', current: 'deactivated' } }
  for (const entityId of ids) await audit(tx, ctx, { type: 'update', entity: 'invitations', entityId, changes })
}

/** Closes every invitation whose time is up. A link tells so itself before this has run. */
export async function expireInvitations(now = new Date()) {
  const ctx: AuditCtx = { ip: '', user: null, requestId: randomUUID(), now: () => now }
  for (;;) {
    const closed = await db().transaction(async (tx) => {
      const ids = await expiredInvitations(tx, now, batch)
      await deactivate(tx, ctx, ids)
      return ids.length
    })
    if (closed < batch) return
  }
}
