import { asc, gt, max } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { history, oidcClients } from '@/db/schema'
import { eventsSince, newestEvent } from './recorded-events'
import { newPassword } from './registration'
import { password } from './users'

/** Returns the place in the history after which `rowsSince` reads. */
export const newestRow = async () =>
  (
    await db()
      .select({ id: max(history.id) })
      .from(history)
  )[0]?.id ?? 0
export const rowsSince = (id: number) => db().select().from(history).where(gt(history.id, id)).orderBy(asc(history.id))
type Row = Awaited<ReturnType<typeof rowsSince>>[number]

type Change = Pick<Row, 'type' | 'entity' | 'entityId' | 'changerId' | 'requestId' | 'date' | 'field'> & {
  previous?: unknown
  current?: unknown
}
/** Returns the changes as the history shows them and as handlers of events get them, in the same order. */
const changes = (all: Change[]) =>
  all
    .map(({ type, entity, entityId, changerId, requestId, date, field, previous, current }) => ({
      key: [type, entity, entityId, field].join(),
      ...{ changerId, requestId, date, previous, current },
    }))
    .toSorted((one, other) => one.key.localeCompare(other.key))
const eventChanges = (events: Awaited<ReturnType<typeof eventsSince>>) =>
  changes(
    events.flatMap(({ changes: fields, ...event }) =>
      Object.entries(fields).map(([field, change]) => ({ ...event, field, ...change })),
    ),
  )

/** Fields that say what an act did and that are no field of the object: no event carries them. */
const actFields = new Set([
  'secretRead',
  'tried',
  'sessionsEnded',
  'sessionOf',
  'reminded',
  'secretsExported',
  'imported',
])

/**
 * Makes a change and returns its result. Fails unless history and outbox both record it under exactly these entities
 * (`create device-types`), without a secret.
 */
export async function expectRecords<T>(makes: readonly string[], change: () => Promise<T>): Promise<T> {
  const [before, place] = [await newestRow(), await newestEvent()]
  const answer = await change()
  const [rows, events] = [await rowsSince(before), await eventsSince(place)]
  expect([...new Set(rows.map(({ type, entity }) => `${type} ${entity}`))].toSorted(), 'what is recorded').toEqual(
    makes.toSorted(),
  )
  const changed = rows.filter(({ field }) => field !== null && !actFields.has(field))
  expect(eventChanges(events), 'what the outbox has').toEqual(changes(changed))
  const recorded = JSON.stringify([rows, events])
  const { secret: made } = (answer ?? {}) as { secret?: string | null }
  for (const value of [password, newPassword, '$argon2', ...(made ? [made] : [])]) expect(recorded).not.toContain(value)
  const sealed = await db().select({ secrets: oidcClients.secrets }).from(oidcClients)
  for (const one of sealed.flatMap(({ secrets }) => secrets)) expect(recorded).not.toContain(one.sealed)
  return answer
}
