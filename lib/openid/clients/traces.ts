import type { Transaction } from '@/db/client'
import { type AuditContext, auditEvent } from '@/lib/base/audit/audit'
import { clientEntity, type ReusedKind } from './entity'
import { countReuses, isRecordedSince, lockClient, selectDeadLogouts } from './queries'

/** Milliseconds within which a client's history gets the same event only once. */
const recordInterval = 3_600_000
/** The most reuses that a client's history gets within that time. */
const maxReuses = 100

const recently = ({ now }: Pick<AuditContext, 'now'>) => new Date(now().getTime() - recordInterval)

type Reuse = { of: ReusedKind; accountId: string | null; ended: boolean }

/**
 * Locks the client and calls `find`, which returns the reuse of a code or token that works once, or null. Records the
 * reuse and calls `also`, but only once an hour for a kind and a person, and at most a hundred times an hour for a
 * client. Returns what `find` has returned.
 */
export async function auditReuse(
  tx: Transaction,
  ctx: AuditContext,
  clientId: string,
  { find, also }: { find: () => Promise<Reuse | null>; also: (reuse: Reuse) => Promise<void> },
): Promise<Reuse | null> {
  const row = await lockClient(tx, clientId)
  const reuse = await find()
  if (!row || !reuse) return reuse
  const { of, accountId: userId, ended } = reuse
  const counts = await countReuses(tx, { id: row.id, of, userId }, recently(ctx))
  if (counts.same > 0 || counts.all >= maxReuses) return reuse
  await auditEvent(tx, ctx, clientEntity, row.id, 'update', { reused: { of, userId, ended } }, { changerId: null })
  await also(reuse)
  return reuse
}

/** Records an event of a client that no person has caused, at most once an hour. */
export async function auditHourly(
  tx: Transaction,
  ctx: AuditContext,
  clientId: string,
  field: 'noticeGivenUp' | 'secretGuessed',
  value: string,
): Promise<void> {
  const row = await lockClient(tx, clientId)
  if (!row || (await isRecordedSince(tx, row.id, field, recently(ctx)))) return
  const options = { changerId: null }
  if (field === 'noticeGivenUp')
    await auditEvent(tx, ctx, clientEntity, row.id, 'update', { noticeGivenUp: value }, options)
  else await auditEvent(tx, ctx, clientEntity, row.id, 'update', { secretGuessed: value }, options)
}

/** Returns by client the number of its dead logout notices, with the time and the error of the last one. */
export async function failedLogoutNotices(clientIds: string[]) {
  const rows = clientIds.length > 0 ? await selectDeadLogouts(clientIds) : []
  return new Map(rows.map(({ clientId, ...notices }) => [clientId, notices]))
}
