import { AsyncLocalStorage } from 'node:async_hooks'
import { errors } from 'oidc-provider'
import { seal, unseal } from '@/lib/kernel/crypto/secrets'
import { findAnswer, replaceRecord, type storeToken } from './queries'
import { orUnavailable } from './unavailable'

/**
 * Milliseconds for which a used refresh token gets the answer of its use again: requests of one client that met are
 * no theft. Later it is, and its family ends.
 */
export const raceGrace = 10_000

type Row = Parameters<typeof storeToken>[0]
type Rotation = { refreshes: () => boolean; used?: string; rows: Row[] }

const rotations = new AsyncLocalStorage<Rotation>()

/** The refresh token that this request uses up, and what takes its place; none outside the provider. */
export const currentRotation = () => rotations.getStore()

export const alreadyUsed = () => new errors.InvalidGrant('already used')

/** A refresh as its endpoint sees it. */
export type Refreshing = {
  /** Whether this is a refresh at all; known once its parameters are. */
  refreshes: () => boolean
  isWell: () => boolean
  /** All on which the answer depends beside the token: another request must not get it. */
  request: () => string
  answer: () => unknown
  /** Gives this answer in place of the own one. */
  replace: (answer: unknown) => void
}

// what is sealed must not be taken for the payload of the same record
const boundTo = (used: string) => `answer ${used}`

/**
 * Lets a refresh token be used up by the very statement that stores what it gave, once all of that is made and the
 * answer is well: whatever fails before has used nothing up. Whoever comes second with the same request gets the
 * first one's answer, and what was made for them is never stored. Throws InvalidGrant for other requests.
 */
export async function withRotation(work: () => Promise<unknown>, refreshing: Refreshing): Promise<void> {
  const rotation: Rotation = { refreshes: refreshing.refreshes, rows: [] }
  await rotations.run(rotation, work)
  const { used, rows } = rotation
  if (used === undefined || !refreshing.isWell()) return
  const now = new Date()
  const request = refreshing.request()
  const kept = {
    answer: seal('oidc', JSON.stringify({ request, answer: refreshing.answer() }), boundTo(used)),
    expiresAt: new Date(now.getTime() + raceGrace),
  }
  if (await orUnavailable(() => replaceRecord(used, now, rows, kept))) return
  const sealed = await orUnavailable(() => findAnswer(used, new Date()))
  const first = sealed && JSON.parse(unseal('oidc', sealed, boundTo(used)))
  if (first?.request !== request) throw alreadyUsed()
  refreshing.replace(first.answer)
}
