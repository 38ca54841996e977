import { randomUUID } from 'node:crypto'
import { eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { links, oidcLogouts, signInAttempts } from '@/db/schema'
import { runHousekeeping } from '@/lib/base/jobs/housekeeping'
import { batchSize, inBatches } from '@/lib/base/postgres/batches'
import { platformHousekeeping } from '@/lib/wiring/housekeeping'
import { setSetting } from '../../factories/settings'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const ago = (days: number) => new Date(Date.now() - days * 86_400_000)
const keep = () => runHousekeeping(platformHousekeeping, null)

async function leave(mark: string, days: number, count = 1) {
  const rows = Array.from({ length: count }, () => `${mark}-${randomUUID()}`)
  const at = ago(days)
  for (let from = 0; from < count; from += 1000) {
    const some = rows.slice(from, from + 1000)
    await db()
      .insert(signInAttempts)
      .values(some.map((tokenHash) => ({ tokenHash, state: {}, ip: '', createdAt: at, expiresAt: at, finishedAt: at })))
  }
  await db()
    .insert(links)
    .values({ kind: 'recovery', idHash: `${mark}-${randomUUID()}`, createdAt: at, expiresAt: at })
  await db().insert(oidcLogouts).values({ clientId: mark, accountId: 'a', sid: 's', createdAt: at })
}
const countsLeft = async (mark: string) => [
  (
    await db()
      .select()
      .from(signInAttempts)
      .where(like(signInAttempts.tokenHash, `${mark}-%`))
  ).length,
  (
    await db()
      .select()
      .from(links)
      .where(like(links.idHash, `${mark}-%`))
  ).length,
  (await db().select().from(oidcLogouts).where(eq(oidcLogouts.clientId, mark))).length,
]

test('completed interactions are kept as long as the setting says, then deleted', async () => {
  await leave('young', 29)
  await leave('old', 31)
  await leave('ancient', 91)
  await setSetting('interactionRetention', 90)
  await keep()
  expect({
    young: await countsLeft('young'),
    old: await countsLeft('old'),
    ancient: await countsLeft('ancient'),
  }).toEqual({ young: [1, 1, 1], old: [1, 1, 1], ancient: [0, 0, 0] })
  await setSetting('interactionRetention', 30)
  await keep()
  expect([await countsLeft('young'), await countsLeft('old')]).toEqual([
    [1, 1, 1],
    [0, 0, 0],
  ])
})

test('unfinished ones are deleted an hour after their end, whatever the setting', async () => {
  const begun = (name: string, minutes: number) => {
    const at = ago(minutes / 1440)
    return db().insert(signInAttempts).values({ tokenHash: name, state: {}, ip: '', createdAt: at, expiresAt: at })
  }
  await begun('nothing-1', 61)
  await begun('recent-1', 59)
  await keep()
  expect([(await countsLeft('nothing'))[0], (await countsLeft('recent'))[0]]).toEqual([0, 1])
})

test('they are deleted in small batches, however many there are', async () => {
  await leave('many', 40, batchSize + 500)
  await keep()
  expect(await countsLeft('many')).toEqual([0, 0, 0])
  const asked: number[] = []
  const answers = [7, 7, 3]
  await inBatches(async (limit) => {
    asked.push(limit)
    return answers[asked.length - 1] ?? 0
  }, 7)
  expect(asked).toEqual([7, 7, 7])
})

test('exactly what is due goes while a hundred others write, in two workers at once', async () => {
  await leave('due', 40, batchSize + 500)
  const writing = Array.from({ length: 100 }, (_, n) => leave(`writer${n}-`, n % 2 ? 29 : 31))
  await Promise.all([keep(), keep(), ...writing])
  // what was written meanwhile and is due goes the next time
  await keep()
  expect(await countsLeft('due')).toEqual([0, 0, 0])
  for (let n = 0; n < 100; n++) expect(await countsLeft(`writer${n}-`), `${n}`).toEqual(n % 2 ? [1, 1, 1] : [0, 0, 0])
})
