import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { licenses, monitoringChecks } from '@/db/schema'
import { invalidate } from '@/lib/base/cache/cache'
import { issueLicense } from '@/lib/operations/license/format'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { leavesNothing } from './nothing-left'
import { asOwn, takenOver } from './signed-in'
import { spokenIn } from './spoken'

leavesNothing()

const { language, words } = spokenIn(import.meta.filename)
const { monitoring: t, license: l, snackbar, shell, errors } = words
const monitoring = '/platform/setting/monitoring'
const system = '/platform/setting/system'

/** Stores how the check of Redis stands. */
async function redisIs(standing: Partial<typeof monitoringChecks.$inferInsert>) {
  await db().update(monitoringChecks).set(standing).where(eq(monitoringChecks.key, 'redis'))
  await invalidate(db(), 'monitoring')
}
test.afterEach(async () => {
  await redisIs({ status: 'up', doubts: 0, countedAt: null })
  await db().delete(licenses)
})

test('an administrator learns above every page of what is down, and sees since when', async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  await page.goto(monitoring)
  await takenOver(page)
  await page.getByRole('button', { name: t.refresh }).click()
  await expect(page.getByText(snackbar.monitoringRefresh, { exact: true })).toBeVisible()
  // good looks count only after this moment, so it stays down for an hour
  const inAnHour = new Date(Date.now() + 3_600_000)
  await redisIs({ status: 'down', lastError: 'timeout', errorAt: new Date(), doubts: 0, countedAt: inAnHour })
  await page.goto(`${monitoring}?filter[status]=down`)
  await expect(page.getByRole('link', { name: /^(Мониторинг|Monitoring):/ })).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: t.kinds.redis })
  await expect(row.getByText(t.statuses.down)).toBeVisible()
  await expect(row.getByRole('cell').getByText(t.errors.timeout)).toBeVisible()
  await row.getByRole('link', { name: t.kinds.redis }).click()
  await expect(page.getByRole('heading', { name: t.history.replace('{name}', t.kinds.redis) })).toBeVisible()
})

test('a license is checked, put in and removed; a key for elsewhere is refused', {
  tag: '@full',
}, async ({ page, context, baseURL }) => {
  const host = new URL(baseURL ?? '').hostname
  const issue = (domain: string) =>
    issueLicense(process.env.TEST_LICENSE_KEY ?? '', { owner: 'Polaris', domain, expiresAt: null, sessions: 9_000 })
  await asOwn(context, 'administrator', language)
  await page.goto(system)
  await takenOver(page)
  await page.getByRole('button', { name: l.add }).click()
  const dialog = page.getByRole('dialog', { name: l.add })
  await dialog.getByLabel(l.key).fill(issue('elsewhere.example'))
  await dialog.getByLabel(l.domain).fill(host)
  await dialog.getByRole('button', { name: l.save }).click()
  await expect(dialog.getByText(errors.errorLicenseDomain).first()).toBeVisible()
  await dialog.getByLabel(l.key).fill(issue(host))
  await dialog.getByRole('button', { name: l.check }).click()
  await expect(dialog.getByText(l.checked)).toBeVisible()
  await dialog.getByRole('button', { name: l.save }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(l.states.valid, { exact: true })).toBeVisible()
  await page
    .getByRole('button', { name: new RegExp(l.title) })
    .last()
    .click()
  await page.getByRole('menuitem', { name: l.remove }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: l.remove }).click()
  await expect(page.getByText(l.none)).toBeVisible()
})

test('who may read only can’t change the license, and others see none of it', {
  tag: '@full',
}, async ({ page, context, baseURL }) => {
  await asOwn(context, 'auditor', language)
  await page.goto(system)
  await expect(page.getByRole('heading', { level: 1, name: shell.screens.PlatformSystem })).toBeVisible()
  await expect(page.getByRole('button', { name: l.add })).toHaveCount(0)
  await page.goto('about:blank')
  await asOwn(context, 'employee', language)
  for (const path of [monitoring, system, '/platform/setting/diagnostics']) {
    const answer = await context.request.get(`${baseURL}${path}`)
    expect([path, answer.status()]).toEqual([path, 403])
    expect(await answer.text()).not.toContain('<table')
  }
})
