import type { Adapter, AdapterPayload } from 'oidc-provider'
import { encrypt } from '@/lib/base/crypto/encryption'
import { sessionByOpenIdSession } from '@/lib/sign-in/sessions/openid-sessions'
import { payloadOf, recordKey } from './encrypted-record'
import { readToken, rowsReadWithToken } from './joint-read'
import {
  consumeRecord,
  insertToken,
  removeRecord,
  removeRecordsOfGrant,
  selectRecord,
  selectSessionRecord,
  storeRecord,
} from './queries'
import { alreadyUsed, currentTokenRequest, raceGrace } from './rotation'
import { storeGrant } from './shared-grant'
import { destroySession, noteRead, storeSession } from './shared-session'
import { orUnavailable } from './unavailable'

/** Records that are written only once, under their own id. */
const tokenModels = new Set(['AccessToken', 'ClientCredentials', 'RefreshToken'])

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)

type Row = Pick<NonNullable<Awaited<ReturnType<typeof selectRecord>>>, 'idHash' | 'model' | 'payload' | 'consumedAt'>

/**
 * Returns the adapter for records that must last, in PostgreSQL. A session of the OpenID Provider is valid for as long
 * as the session of the platform that it belongs to.
 */
export function durableAdapter(model: string): Adapter {
  const keyOf = (id: string) => recordKey(model, id)

  async function payloadIfValid(
    row: Row | null,
    sessionReading?: ReturnType<typeof sessionByOpenIdSession>,
  ): Promise<AdapterPayload | undefined> {
    if (!row || row.model !== model) return undefined
    const now = new Date()
    const payload = payloadOf(row)
    // a repeated refresh runs as usual, and gets the answer of the first one at its end
    const isRepeat = row.consumedAt && now.getTime() - row.consumedAt.getTime() < raceGrace
    if (row.consumedAt && !(isRepeat && currentTokenRequest()?.refreshes())) payload.consumed = seconds(row.consumedAt)
    if (model === 'Session' && payload.accountId) {
      const platformSession = await (sessionReading ?? sessionByOpenIdSession(payload.uid ?? '', now))
      if (platformSession?.userId !== payload.accountId) return undefined
      noteRead(payload)
    }
    return payload
  }

  return {
    upsert: (id, payload, expiresIn = 0) =>
      orUnavailable(async () => {
        const idHash = keyOf(id)
        const row = {
          idHash,
          model,
          payload: encrypt('oidc', JSON.stringify(payload), idHash),
          uid: model === 'Session' ? payload.uid : null,
          grantId: model === 'Grant' ? id : payload.grantId,
          sessionUid: payload.sessionUid,
          accountId: payload.accountId,
          clientId: payload.clientId,
          expiresAt: new Date(Date.now() + expiresIn * 1000),
        }
        const tokenRequest = tokenModels.has(model) ? currentTokenRequest() : undefined
        if (model === 'Session') await storeSession(row, payload)
        else if (model === 'Grant') await storeGrant(row, payload)
        else if (tokenRequest?.used) tokenRequest.rows.push(row)
        else await (tokenModels.has(model) ? insertToken : storeRecord)(row)
      }),
    find: (id) =>
      orUnavailable(async () => {
        if (tokenModels.has(model)) return payloadIfValid(await readToken(keyOf(id)))
        const grant = model === 'Grant' ? rowsReadWithToken({ grantId: id })?.grant : undefined
        return payloadIfValid(grant ?? (await selectRecord(keyOf(id))))
      }),
    findByUid: (uid) =>
      orUnavailable(async () => {
        // every code of a person needs both the record and the session, so they are read at once
        const read = rowsReadWithToken({ sessionUid: uid })
        const platformSession = sessionByOpenIdSession(uid, new Date(), read?.platformSession)
        const [row] = await Promise.all([read?.session ?? selectSessionRecord(uid), platformSession])
        return payloadIfValid(row, platformSession)
      }),
    findByUserCode: async () => undefined,
    consume: (id) =>
      orUnavailable(async () => {
        const tokenRequest = model === 'RefreshToken' ? currentTokenRequest() : undefined
        if (tokenRequest) tokenRequest.used = keyOf(id)
        else if (!(await consumeRecord(keyOf(id), new Date()))) throw alreadyUsed()
      }),
    destroy: (id) =>
      orUnavailable(async () => {
        await (model === 'Session' ? destroySession(id) : removeRecord(keyOf(id)))
      }),
    revokeByGrantId: (grantId) =>
      orUnavailable(async () => {
        await removeRecordsOfGrant(grantId)
      }),
  }
}
