import type { Transaction } from '@/db/client'
import { type AuditContext, auditEvent } from '@/lib/base/audit/audit'
import { clientEntity, type Reused } from './entity'
import { countReuses, isRecordedSince, lockClient, selectGivenUpLogouts } from './queries'

/** Milliseconds within which the history of a client has the same only once. */
const within = 3_600_000
/** How often things may be used again there within that time, by anybody. */
const reusesAtMost = 100

const recently = ({ now }: Pick<AuditContext, 'now'>) => new Date(now().getTime() - within)

type Reuse = { of: Reused; accountId: string | null; ended: boolean }

/**
 * Records that something which works once was used again at a client, and runs `also` beside it: for a kind and a person
 * once an hour, and at most a hundred times an hour for a client. `find` says under the lock of the client whether there
 * is something to tell. Returns what it has found.
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
  const known = await countReuses(tx, { id: row.id, of, userId }, recently(ctx))
  if (known.same > 0 || known.all >= reusesAtMost) return reuse
  await auditEvent(tx, ctx, clientEntity, row.id, 'update', { reused: { of, userId, ended } }, { changerId: null })
  await also(reuse)
  return reuse
}

/** Records once an hour what happens to a client without anybody’s doing. */
export async function auditHourly(
  tx: Transaction,
  ctx: AuditContext,
  clientId: string,
  field: 'noticeGivenUp' | 'secretGuessed',
  said: string,
): Promise<void> {
  const row = await lockClient(tx, clientId)
  if (!row || (await isRecordedSince(tx, row.id, field, recently(ctx)))) return
  const options = { changerId: null }
  if (field === 'noticeGivenUp')
    await auditEvent(tx, ctx, clientEntity, row.id, 'update', { noticeGivenUp: said }, options)
  else await auditEvent(tx, ctx, clientEntity, row.id, 'update', { secretGuessed: said }, options)
}

/** Returns by client how many of its notices were given up and not sent since, and when and why the last one was. */
export async function failedLogoutNotices(clientIds: string[]) {
  const rows = clientIds.length > 0 ? await selectGivenUpLogouts(clientIds) : []
  return new Map(rows.map(({ clientId, ...of }) => [clientId, of]))
}
