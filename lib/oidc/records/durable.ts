import { AsyncLocalStorage } from 'node:async_hooks'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { providerSession } from '@/lib/entry/sessions/service'
import { seal } from '@/lib/kernel/crypto/secrets'
import {
  consumeRecord,
  findRecord,
  findSessionRecord,
  removeByGrant,
  removeRecord,
  replaceRecord,
  storeRecord,
  storeToken,
} from './queries'
import { payloadOf, recordKey } from './sealed'
import { orUnavailable } from './unavailable'

/**
 * Milliseconds for which a used refresh token is refused without ending its family: two requests of one client that
 * met are no theft. Later it is.
 */
const raceGrace = 10_000

type Rotation = { used?: string; rows: Parameters<typeof storeToken>[0][] }

/** The refresh token that this request uses up, and what takes its place. */
const rotations = new AsyncLocalStorage<Rotation>()

/**
 * Lets a refresh token be used up by the very statement that stores what it gave, once all of that is made and the
 * answer `isWell`: whatever fails before has used nothing up. Throws InvalidGrant when somebody else was first.
 */
export async function withRotation(work: () => Promise<unknown>, isWell: () => boolean): Promise<void> {
  const rotation: Rotation = { rows: [] }
  await rotations.run(rotation, work)
  const { used, rows } = rotation
  if (used === undefined || !isWell()) return
  if (!(await orUnavailable(() => replaceRecord(used, new Date(), rows)))) throw alreadyUsed()
}

/** Records that are written once, under an id of their own. */
const tokens = new Set(['AccessToken', 'ClientCredentials', 'RefreshToken'])

const alreadyUsed = () => new errors.InvalidGrant('already used')

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)

type Row = NonNullable<Awaited<ReturnType<typeof findRecord>>>

/** Records that must last, in PostgreSQL. A session counts for as long as the platform's own that it belongs to. */
export function durableAdapter(model: string): Adapter {
  const keyOf = (id: string) => recordKey(model, id)

  async function read(
    row: Row | null,
    known?: ReturnType<typeof providerSession>,
  ): Promise<AdapterPayload | undefined> {
    if (!row || row.model !== model) return undefined
    const now = new Date()
    const payload = payloadOf(row)
    if (row.consumedAt) {
      if (now.getTime() - row.consumedAt.getTime() < raceGrace) return undefined
      payload.consumed = seconds(row.consumedAt)
    }
    if (model === 'Session' && payload.accountId) {
      const ours = await (known ?? providerSession(payload.uid ?? '', now))
      if (ours?.userId !== payload.accountId) return undefined
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
          payload: seal('oidc', JSON.stringify(payload), idHash),
          uid: model === 'Session' ? payload.uid : null,
          grantId: model === 'Grant' ? id : payload.grantId,
          sessionUid: payload.sessionUid,
          accountId: payload.accountId,
          clientId: payload.clientId,
          expiresAt: new Date(Date.now() + expiresIn * 1000),
        }
        const rotation = tokens.has(model) ? rotations.getStore() : undefined
        if (rotation?.used) rotation.rows.push(row)
        else await (tokens.has(model) ? storeToken : storeRecord)(row)
      }),
    find: (id) => orUnavailable(async () => read(await findRecord(keyOf(id)))),
    findByUid: (uid) =>
      orUnavailable(async () => {
        // what every token of a person asks for: both at once
        const ours = providerSession(uid, new Date())
        const [row] = await Promise.all([findSessionRecord(uid), ours])
        return read(row, ours)
      }),
    findByUserCode: async () => undefined,
    consume: (id) =>
      orUnavailable(async () => {
        const rotation = model === 'RefreshToken' ? rotations.getStore() : undefined
        if (rotation) rotation.used = keyOf(id)
        else if (!(await consumeRecord(keyOf(id), new Date()))) throw alreadyUsed()
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
