import type { SQL } from 'drizzle-orm'
import { platformSettings } from '@/lib/site/settings/service'
import { accessFrom, bindSession, isProven, selectSessionByOidcUid } from './queries'
import { cachedFor } from './service'

/**
 * Binds the session `oidcUid` of the OpenID Provider to this session. A session is bound to one only, and both end at
 * the same time. Returns the uid of the bound session, which is another one if this session was bound before, and when
 * this session began. Returns null if this session has ended.
 */
export const bindOpenIdSession = (sessionId: string, oidcUid: string) => bindSession(sessionId, oidcUid)

const before = (now: Date, seconds: number) => new Date(now.getTime() - seconds * 1000)

/** Returns the moment after which a session must have been accessed to be live. */
export const idleSince = async (now: Date) => before(now, (await platformSettings()).sessionIdleAlive)

/**
 * Returns the live session, with its user, of a session of the OpenID Provider; `row` is that session if the caller has
 * read it (`isLive` in `db/live-sessions.ts`). Returns null if there is none.
 */
export async function sessionByOpenIdSession(
  oidcUid: string,
  now: Date,
  row?: { id: string; userId: string; mayNeedProof: boolean } | undefined,
) {
  const session = row ?? (await selectSessionByOidcUid(oidcUid, now, await idleSince(now)))
  return session && (!session.mayNeedProof || (await isProven(session.id))) ? session : null
}

/**
 * Returns the statement that counts an application's request for the person as an access, so that their session doesn't
 * become idle. It does nothing if the CTE `source` is empty. Returns null if `lastAccessAt` says that the last access is
 * exact enough.
 */
export async function accessByOpenIdSession(
  source: string,
  { oidcUid, lastAccessAt }: { oidcUid: string; lastAccessAt: Date | undefined },
  now: Date,
): Promise<SQL | null> {
  const accessedBefore = before(now, cachedFor)
  if (lastAccessAt && lastAccessAt > accessedBefore) return null
  return accessFrom(source, oidcUid, now, { accessedAfter: await idleSince(now), accessedBefore })
}
