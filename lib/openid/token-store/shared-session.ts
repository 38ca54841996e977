import Provider, { type AdapterPayload, type KoaContextWithOIDC } from 'oidc-provider'
import { db } from '@/db/client'
import { encrypt } from '@/lib/base/crypto/encryption'
import { payloadOf, recordKey } from './encrypted-record'
import { lockSessionRecords, removeRecord, removeSessionRecords, storePayload, storeRecord } from './queries'

type Parts = NonNullable<AdapterPayload['authorizations']>
type Row = Parameters<typeof storeRecord>[0]

/** The authorizations that running requests have read of sessions. */
const readAuthorizations = new WeakMap<object, Map<string, Parts>>()

const currentContext = () => Provider.ctx as KoaContextWithOIDC | undefined

/** Stores what a request has read of a session, to know later what the request has changed. */
export function noteRead({ uid, authorizations }: AdapterPayload) {
  const ctx = currentContext()
  if (!ctx || !uid) return
  const readBySession = readAuthorizations.get(ctx) ?? new Map<string, Parts>()
  readAuthorizations.set(ctx, readBySession)
  if (!readBySession.has(uid)) readBySession.set(uid, structuredClone(authorizations ?? {}))
}

/** Returns the previous id of the request's session, if it has got a new one. */
function idBefore(jti: string | undefined): string | undefined {
  const session = currentContext()?.oidc?.session as { jti?: string; oldId?: string } | undefined
  return session && session.jti === jti && session.oldId !== jti ? session.oldId : undefined
}

/** Returns what is stored now, with the changes of this request applied. */
function merged(stored: Parts, before: Parts, now: Parts): Parts {
  const result = { ...stored }
  for (const clientId of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const [partBefore, partNow] = [before[clientId], now[clientId]]
    if (!partNow) delete result[clientId]
    // when two requests add the same application, the first one stays
    else if (partBefore ? JSON.stringify(partBefore) !== JSON.stringify(partNow) : !result[clientId]?.sid)
      result[clientId] = partNow
  }
  return result
}

/** Stores a session. Authorizations that other requests of the browser have added since stay. */
export async function storeSession(row: Row, payload: AdapterPayload) {
  const { uid, accountId, jti } = payload
  const previousId = idBefore(jti)
  const previousHash = previousId && recordKey('Session', previousId)
  if (!uid || !accountId) {
    await storeRecord(row)
    if (previousHash) await removeRecord(previousHash)
    return
  }
  const before = readAuthorizations.get(currentContext() ?? row)?.get(uid) ?? {}
  await db().transaction(async (tx) => {
    const rows = await lockSessionRecords(tx, uid, accountId)
    const stored: Parts = Object.assign({}, ...rows.map((sessionRow) => payloadOf(sessionRow).authorizations))
    const authorizations = merged(stored, before, payload.authorizations ?? {})
    const encrypted = (content: AdapterPayload, idHash: string) =>
      encrypt('oidc', JSON.stringify({ ...content, authorizations }), idHash)
    if (previousHash) await removeRecord(previousHash, tx)
    for (const sessionRow of rows)
      if (sessionRow.idHash !== previousHash && sessionRow.idHash !== row.idHash)
        await storePayload(tx, sessionRow.idHash, encrypted(payloadOf(sessionRow), sessionRow.idHash))
    await storeRecord({ ...row, payload: encrypted(payload, row.idHash) }, tx)
  })
}

/**
 * Removes a session. A session that only changes its id stays until it has the new one, because its tokens are in use.
 */
export async function destroySession(id: string) {
  const session = currentContext()?.oidc?.session as { jti?: string; oldId?: string } | undefined
  if (session?.oldId === id && session.jti !== id) return
  await removeSessionRecords(recordKey('Session', id))
}
