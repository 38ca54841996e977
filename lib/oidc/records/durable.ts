import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { providerSession } from '@/lib/entry/sessions/service'
import { seal } from '@/lib/kernel/crypto/secrets'
import { consumeRecord, findRecord, findSessionRecord, removeByGrant, removeRecord, storeRecord } from './queries'
import { payloadOf, recordKey } from './sealed'
import { orUnavailable } from './unavailable'

/**
 * Milliseconds for which a used refresh token is refused without ending its family: two requests of one client that
 * met are no theft. Later it is.
 */
const raceGrace = 10_000

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)

type Row = NonNullable<Awaited<ReturnType<typeof findRecord>>>

/** Records that must last, in PostgreSQL. A session counts for as long as the platform's own that it belongs to. */
export function durableAdapter(model: string): Adapter {
  const keyOf = (id: string) => recordKey(model, id)

  async function read(row: Row | null): Promise<AdapterPayload | undefined> {
    if (!row || row.model !== model) return undefined
    const now = new Date()
    const payload = payloadOf(row)
    if (row.consumedAt) {
      if (now.getTime() - row.consumedAt.getTime() < raceGrace) return undefined
      payload.consumed = seconds(row.consumedAt)
    }
    if (model === 'Session' && payload.accountId) {
      const ours = await providerSession(payload.uid ?? '', now)
      if (ours?.userId !== payload.accountId) return undefined
    }
    return payload
  }

  return {
    upsert: (id, payload, expiresIn = 0) =>
      orUnavailable(async () => {
        const idHash = keyOf(id)
        await storeRecord({
          idHash,
          model,
          payload: seal('oidc', JSON.stringify(payload), idHash),
          uid: model === 'Session' ? payload.uid : null,
          grantId: model === 'Grant' ? id : payload.grantId,
          sessionUid: payload.sessionUid,
          accountId: payload.accountId,
          clientId: payload.clientId,
          expiresAt: new Date(Date.now() + expiresIn * 1000),
        })
      }),
    find: (id) => orUnavailable(async () => read(await findRecord(keyOf(id), new Date()))),
    findByUid: (uid) =>
      orUnavailable(async () => {
        return read(await findSessionRecord(uid))
      }),
    findByUserCode: async () => undefined,
    consume: (id) =>
      orUnavailable(async () => {
        if (!(await consumeRecord(keyOf(id), new Date()))) throw new errors.InvalidGrant('already used')
      }),
    destroy: (id) =>
      orUnavailable(async () => {
        await removeRecord(keyOf(id))
      }),
    revokeByGrantId: (grantId) =>
      orUnavailable(async () => {
        await removeByGrant(grantId)
      }),
  }
}
