import { db, type Transaction } from '@/db/client'
import { applicationEntity } from '@/lib/applications/applications/entity'
import { auditEvent } from '@/lib/base/audit/audit'
import { callerId, holdsMethod, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { notFound } from '@/lib/base/runtime/errors'
import { queueLogout } from '../logout/service'
import { endGrants } from '../token-store/service'
import type * as calls from './contract'
import { selectGrant, selectGrants, selectSessionPage } from './queries'

const mayReadLogins = (ctx: Ctx) => holdsMethod(ctx, 'users.read')

/** Returns one page of people's sessions at applications. Needs applications.read; logins need users.read too. */
export async function listApplicationSessions(ctx: Ctx, { query }: ServiceInput<typeof calls.listApplicationSessions>) {
  requireMethod(ctx, 'applications.read')
  const logins = mayReadLogins(ctx)
  const options = {
    caller: callerId(ctx),
    pageSize: ctx.user?.pagination ?? null,
    logins,
    timeZone: ctx.timeZone,
    now: ctx.now(),
  }
  const { rows, meta } = await selectSessionPage(query, options)
  return {
    sessions: rows.map(({ userId, userName, login, start, lastUsed, expiry, ...row }) => ({
      ...row,
      user: userId ? { id: userId, name: userName ?? '', login: logins ? login : null } : null,
      start: start.toISOString(),
      lastUsed: lastUsed?.toISOString() ?? null,
      expiry: expiry.toISOString(),
    })),
    meta,
  }
}

type Grants = Awaited<ReturnType<typeof selectGrants>>

/**
 * Ends grants, notifies their clients, and writes an audit event for each application with the number of its grants.
 * Returns how many grants it has ended.
 */
async function endGrantsOfApplications(tx: Transaction, ctx: Ctx, grants: Grants): Promise<number> {
  let ended = 0
  const counts = new Map<string, { count: number; of: Set<string> }>()
  for (const accountId of [...new Set(grants.map((grant) => grant.accountId ?? ''))].sort()) {
    const accountGrants = grants.filter((grant) => grant.accountId === accountId)
    const { removed, logouts } = await endGrants(tx, accountId, accountGrants)
    for (const logout of logouts) await queueLogout(tx, { accountId, ...logout })
    // another call has ended these sessions at the same time
    if (removed === 0) continue
    ended += removed
    for (const { applicationId } of accountGrants) {
      const group = counts.get(applicationId) ?? { count: 0, of: new Set() }
      counts.set(applicationId, { count: group.count + 1, of: group.of.add(accountId) })
    }
  }
  for (const [id, { count, of: group }] of counts) {
    const [firstAccountId] = group
    const sessionOf = group.size === 1 && firstAccountId ? firstAccountId : null
    await auditEvent(tx, ctx, applicationEntity, id, 'update', { sessionsEnded: count, sessionOf })
  }
  return ended
}

/**
 * Ends one session of a client at once; a client with a back-channel address gets a logout token. Needs
 * applications.write. Throws 404 for one that is over or another client's.
 */
export async function endApplicationSession(
  ctx: Ctx,
  { params: { id }, query: { clientId } }: ServiceInput<typeof calls.endApplicationSession>,
) {
  requireMethod(ctx, 'applications.write')
  const grant = await selectGrant(id, clientId, ctx.now())
  const ended = grant ? await db().transaction((tx) => endGrantsOfApplications(tx, ctx, [grant])) : 0
  if (ended === 0) throw notFound()
  return {}
}

/** The most sessions that end in one transaction. */
const batch = 200

/**
 * Ends all sessions that the filter finds and that had begun before the call, in batches; if it is interrupted, the
 * sessions of earlier batches stay ended. Needs applications.write. Returns the number of ended sessions.
 */
export async function endApplicationSessions(ctx: Ctx, { query }: ServiceInput<typeof calls.endApplicationSessions>) {
  requireMethod(ctx, 'applications.write')
  const { applicationId, filter } = query
  const options = { logins: mayReadLogins(ctx), timeZone: ctx.timeZone, now: ctx.now(), limit: batch }
  const sessionFilter = { ...filter, applicationId }
  let ended = 0
  for (;;) {
    const grants = await selectGrants(sessionFilter, options)
    if (grants.length === 0) return { ended }
    const endedNow = await db().transaction((tx) => endGrantsOfApplications(tx, ctx, grants))
    ended += endedNow
    // another call ends the same sessions
    if (endedNow === 0) return { ended }
  }
}
