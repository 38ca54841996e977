import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { integrationSyncs } from '@/db/schema/integration'
import { contractors } from '@/db/schema/people'
import { runs } from '@/db/schema/runs'
import { integrationKind } from '@/lib/base/batch-jobs/kinds'
import type { ExchangeOptions } from '@/lib/exchanges/exchanges/options'
import { contractorItem } from '../factories/integration-items'
import { startOtherSystem } from '../factories/other-system'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { leavesNothing } from './nothing-left'
import { asOwn, takenOver } from './signed-in'
import { spokenIn } from './spoken'

leavesNothing()

const { language, words } = spokenIn(import.meta.filename)
const { integration: t, 'integration-journal': journal, errors, ui, runs: run } = words
const path = '/platform/setting/integration'
const keys = ['personnel-actions.import', 'roles.export'] as const

test.afterEach(async ({ database: _ }) => {
  for (const key of keys) {
    const [sync] = await db().select().from(integrationSyncs).where(eq(integrationSyncs.key, key))
    await db()
      .delete(runs)
      .where(eq(runs.subject, sync?.id ?? ''))
    await db()
      .update(integrationSyncs)
      .set({ url: '', enabled: false, auth: 'none', secret: null, actorId: null })
      .where(eq(integrationSyncs.key, key))
  }
})

test('roles are sent to another system: it is connected, checked, started, and stands in the journal', async ({
  page,
  context,
}) => {
  const receiver = await startOtherSystem()
  receiver.needs = { header: 'authorization', value: 'Bearer token-of-the-test' }
  await asOwn(context, 'administrator', language)
  await page.goto(`${path}/synchronization`)
  await page.getByRole('link', { name: t.keys.roles.export }).click()
  await expect(page.getByText(t.noRunUnset)).toBeVisible()
  await page.getByRole('button', { name: `${ui.edit}: ${t.connection}` }).click()
  await page.getByLabel(t.url, { exact: true }).fill(receiver.url)
  await page.getByLabel(t.auth, { exact: true }).click()
  await page.getByRole('option', { name: t.auths.bearer }).click()
  await page.getByLabel(t.secret, { exact: true }).fill('token-of-the-test')
  await page.getByRole('button', { name: ui.save }).click()
  await expect(page.getByText(receiver.url).first()).toBeVisible()
  await page.getByRole('button', { name: t.check, exact: true }).click()
  await expect(page.getByText(t.checkExport)).toBeVisible()
  await page.getByRole('button', { name: ui.enable }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: ui.enable }).click()
  await page.getByRole('button', { name: t.start, exact: true }).click()
  await expect(page.getByText(run.states.done).first()).toBeVisible()
  expect(receiver.sent.some(({ items }) => items.some(({ code }) => code === 'administrator'))).toBe(true)

  await page.getByRole('link', { name: t.runJournal }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: journal.request }).first().click()
  const stream = await (await download).createReadStream()
  let text = ''
  for await (const part of stream) text += part
  expect(text).toContain('authorization: ***')
  expect(text).not.toContain('token-of-the-test')
})

test('a source that lets nobody in says so, and a wrong row names its member', { tag: '@full' }, async ({
  page,
  context,
}) => {
  const source = await startOtherSystem()
  const [row] = await db().select().from(integrationSyncs).where(eq(integrationSyncs.key, keys[0]))
  await asOwn(context, 'administrator', language)
  await page.goto(`${path}/synchronization/${row?.id}`)
  await page.getByRole('button', { name: `${ui.edit}: ${t.connection}` }).click()
  await page.getByLabel(t.url, { exact: true }).fill('erp')
  await page.getByRole('button', { name: ui.save }).click()
  await expect(page.getByText(errors.errorIntegrationAddress).first()).toBeVisible()
  await page.getByLabel(t.url, { exact: true }).fill(source.url)
  await page.getByRole('button', { name: ui.save }).click()
  source.instead = () => 403
  await page.getByRole('button', { name: t.check, exact: true }).click()
  await expect(page.getByText(errors.integrationAccess)).toBeVisible()
  source.instead = () => undefined
  source.items = [contractorItem()]
  await page.getByRole('button', { name: t.check, exact: true }).click()
  await expect(page.getByText(t.checkFaults)).toBeVisible()
  await page.getByRole('button', { name: ui.enable }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: ui.enable }).click()
  await page.getByRole('button', { name: t.start, exact: true }).click()
  await expect(page.getByText(run.partly.replace('{count, number}', '1'), { exact: true })).toBeVisible()
  await expect(page.getByText(run.faults, { exact: true })).toBeVisible()
  expect(await db().$count(contractors, eq(contractors.externalCode, String(source.items[0])))).toBe(0)
})

test('a run is in the page of its exchange, and only whoever may write may let it go on', { tag: '@full' }, async ({
  page,
  context,
}) => {
  const [sync] = await db().select().from(integrationSyncs).where(eq(integrationSyncs.key, keys[1]))
  const syncId = sync?.id ?? ''
  const options: ExchangeOptions = {
    syncId,
    trigger: 'manual',
    starter: null,
    actorId: null,
    origin: { host: 'localhost', locale: 'ru', ip: '203.0.113.9', requestId: 'test' },
    phase: 'rows',
    cursor: null,
    pages: 1,
  }
  const counts = { total: 3, done: 1, failed: 0 }
  await db()
    .insert(runs)
    .values({ kind: integrationKind, subject: syncId, state: 'stopped', options, ...counts })
  // what the page itself has read is displayed, although a call isn't answered
  await page.route('**/integration-synchronization/runs/**', () => undefined)
  for (const [kind, buttons] of [
    ['administrator', 1],
    ['auditor', 0],
  ] as const) {
    // an open page would notice the other person
    await page.goto('about:blank')
    await asOwn(context, kind, language)
    await page.goto(`${path}/synchronization/${syncId}`)
    await takenOver(page)
    await expect(page.getByRole('main').getByText(run.states.stopped, { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: run.resume }), kind).toHaveCount(buttons)
  }
})
