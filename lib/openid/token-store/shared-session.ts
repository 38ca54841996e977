import Provider, { type AdapterPayload, type KoaContextWithOIDC } from 'oidc-provider'
import { db } from '@/db/client'
import { encrypt } from '@/lib/base/crypto/encryption'
import { lockSessionRecords, removeRecord, removeSessionRecords, storePayload, storeRecord } from './queries'
import { payloadOf, recordKey } from './sealed'

type Parts = NonNullable<AdapterPayload['authorizations']>
type Row = Parameters<typeof storeRecord>[0]

/** The authorizations that running requests have read of sessions. */
const read = new WeakMap<object, Map<string, Parts>>()

const current = () => Provider.ctx as KoaContextWithOIDC | undefined

/** Stores what a request has read of a session, to know later what the request has changed. */
export function noteRead({ uid, authorizations }: AdapterPayload) {
  const ctx = current()
  if (!ctx || !uid) return
  const known = read.get(ctx) ?? new Map<string, Parts>()
  read.set(ctx, known)
  if (!known.has(uid)) known.set(uid, structuredClone(authorizations ?? {}))
}

/** Returns the previous id of the request's session, if it has got a new one. */
function idBefore(jti: string | undefined): string | undefined {
  const session = current()?.oidc?.session as { jti?: string; oldId?: string } | undefined
  return session && session.jti === jti && session.oldId !== jti ? session.oldId : undefined
}

/** Returns what is stored now, with the changes of this request applied. */
function merged(stored: Parts, before: Parts, now: Parts): Parts {
  const result = { ...stored }
  for (const clientId of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const [was, is] = [before[clientId], now[clientId]]
    if (!is) delete result[clientId]
    // when two requests add the same application, the first one stays
    else if (was ? JSON.stringify(was) !== JSON.stringify(is) : !result[clientId]?.sid) result[clientId] = is
  }
  return result
}

/** Stores a session. What other requests of the browser have added meanwhile stays. */
export async function storeSession(row: Row, payload: AdapterPayload) {
  const { uid, accountId, jti } = payload
  const old = idBefore(jti)
  const oldHash = old && recordKey('Session', old)
  if (!uid || !accountId) {
    await storeRecord(row)
    if (oldHash) await removeRecord(oldHash)
    return
  }
  const before = read.get(current() ?? row)?.get(uid) ?? {}
  await db().transaction(async (tx) => {
    const rows = await lockSessionRecords(tx, uid, accountId)
    const stored: Parts = Object.assign({}, ...rows.map((one) => payloadOf(one).authorizations))
    const authorizations = merged(stored, before, payload.authorizations ?? {})
    const sealed = (content: AdapterPayload, idHash: string) =>
      encrypt('oidc', JSON.stringify({ ...content, authorizations }), idHash)
    if (oldHash) await removeRecord(oldHash, tx)
    for (const one of rows)
      if (one.idHash !== oldHash && one.idHash !== row.idHash)
        await storePayload(tx, one.idHash, sealed(payloadOf(one), one.idHash))
    await storeRecord({ ...row, payload: sealed(payload, row.idHash) }, tx)
  })
}

/**
 * Removes a session. A session that only changes its id stays until it has the new one, because its tokens are in use.
 */
export async function destroySession(id: string) {
  const session = current()?.oidc?.session as { jti?: string; oldId?: string } | undefined
  if (session?.oldId === id && session.jti !== id) return
  await removeSessionRecords(recordKey('Session', id))
}
