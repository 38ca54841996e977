import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { integrationExchanges, runs } from '@/db/schema'
import { integrationKind } from '@/lib/base/batch-jobs/kinds'
import { tidyIntegration } from '@/lib/exchanges/exchanges/start'
import { setSetting } from '../../factories/settings'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day)

test('the journal is kept for integrationJournalRetention days, and a request whose process died is ended', async () => {
  await setSetting('integrationJournalRetention', 9)
  const values = { key: 'users.export', method: 'POST', url: 'https://erp.example', request: 'POST' }
  const made = await db()
    .insert(integrationExchanges)
    .values([...Array.from({ length: 250 }, () => ({ ...values, status: 'success' as const })), values])
    .returning({ id: integrationExchanges.id })
  await tidyIntegration(inDays(0))
  expect(await db().$count(integrationExchanges)).toBe(251)
  await tidyIntegration(new Date(Date.now() + 6 * 60_000))
  const [lost] = await db()
    .select()
    .from(integrationExchanges)
    .where(eq(integrationExchanges.id, made.at(-1)?.id ?? ''))
  expect(lost).toMatchObject({ status: 'error', fault: 'integrationLost' })
  await tidyIntegration(inDays(8.9))
  expect(await db().$count(integrationExchanges)).toBe(251)
  await tidyIntegration(inDays(9.1))
  expect(await db().$count(integrationExchanges)).toBe(0)
})

test('runs are kept for integrationLogRetention days, the newest of an exchange for longer', async () => {
  await setSetting('integrationLogRetention', 20)
  const finishedRun = { kind: integrationKind, options: {}, total: 0, done: 0, failed: 0, state: 'done' as const }
  const [one, other] = [randomUUID(), randomUUID()]
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  await db()
    .insert(runs)
    .values([
      ...Array.from({ length: 120 }, (_, minutes) => ({ ...finishedRun, subject: one, createdAt: at(minutes) })),
      { ...finishedRun, subject: other },
      { ...finishedRun, subject: other, kind: 'providers' },
    ])
  await tidyIntegration(inDays(19.9))
  expect(await db().$count(runs)).toBe(122)
  await tidyIntegration(inDays(20.1))
  const remainingRuns = await db().select({ subject: runs.subject, kind: runs.kind }).from(runs)
  expect(remainingRuns.map(({ subject, kind }) => `${subject} ${kind}`).toSorted()).toEqual(
    [`${one} integration`, `${other} integration`, `${other} providers`].toSorted(),
  )
})
