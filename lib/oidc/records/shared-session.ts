import Provider, { type AdapterPayload, type KoaContextWithOIDC } from 'oidc-provider'
import { db } from '@/db/client'
import { seal } from '@/lib/kernel/crypto/secrets'
import { lockSession, removeRecord, removeSession, replacePayload, storeRecord } from './queries'
import { payloadOf, recordKey } from './sealed'

type Parts = NonNullable<AdapterPayload['authorizations']>
type Row = Parameters<typeof storeRecord>[0]

/** What requests under way have read of sessions: what each application has of them. */
const read = new WeakMap<object, Map<string, Parts>>()

const current = () => Provider.ctx as KoaContextWithOIDC | undefined

/** Remembers what a request has read of a session, so that it's known later what the request has changed. */
export function noteRead({ uid, authorizations }: AdapterPayload) {
  const ctx = current()
  if (!ctx || !uid) return
  const known = read.get(ctx) ?? new Map<string, Parts>()
  read.set(ctx, known)
  if (!known.has(uid)) known.set(uid, structuredClone(authorizations ?? {}))
}

/** The id that the request's session had before it got its present one. */
function idBefore(jti: string | undefined): string | undefined {
  const session = current()?.oidc?.session as { jti?: string; oldId?: string } | undefined
  return session && session.jti === jti && session.oldId !== jti ? session.oldId : undefined
}

/** What is stored by now, with what this request has changed of what it read. */
function merged(stored: Parts, before: Parts, now: Parts): Parts {
  const result = { ...stored }
  for (const clientId of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const [was, is] = [before[clientId], now[clientId]]
    if (!is) delete result[clientId]
    // of two requests that bring the same application the first counts
    else if (was ? JSON.stringify(was) !== JSON.stringify(is) : !result[clientId]?.sid) result[clientId] = is
  }
  return result
}

/** Stores a session; what other requests of the browser have added meanwhile stays. */
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
    const rows = await lockSession(tx, uid, accountId)
    const stored: Parts = Object.assign({}, ...rows.map((one) => payloadOf(one).authorizations))
    const authorizations = merged(stored, before, payload.authorizations ?? {})
    const sealed = (content: AdapterPayload, idHash: string) =>
      seal('oidc', JSON.stringify({ ...content, authorizations }), idHash)
    if (oldHash) await removeRecord(oldHash, tx)
    for (const one of rows)
      if (one.idHash !== oldHash && one.idHash !== row.idHash)
        await replacePayload(tx, one.idHash, sealed(payloadOf(one), one.idHash))
    await storeRecord({ ...row, payload: sealed(payload, row.idHash) }, tx)
  })
}

/** Removes a session. One that only gets another id stays until it has that: meanwhile its tokens are used. */
export async function destroySession(id: string) {
  const session = current()?.oidc?.session as { jti?: string; oldId?: string } | undefined
  if (session?.oldId === id && session.jti !== id) return
  await removeSession(recordKey('Session', id))
}
