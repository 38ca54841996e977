import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { licenses, monitoringChecks } from '@/db/schema'
import { invalidate } from '@/lib/kernel/cache'
import { issueLicense } from '@/lib/operations/license/format'
import { expect, test } from './fixtures'
import { languages } from './sign-in-page'
import { asPerson, takenOver } from './signed-in'
import { en, ru } from './words'

const words = { ru, en }
const monitoring = '/platform/setting/monitoring'
const system = '/platform/setting/system'

for (const language of languages) {
  const { monitoring: t, license: l, snackbar, shell, errors } = words[language]

  test(`an administrator learns in the header of what is down, and sees since when, ${language}`, async ({
    page,
    context,
    database: _,
  }) => {
    await asPerson(context, 'admin', language)
    await page.goto(monitoring)
    await takenOver(page)
    await page.getByRole('button', { name: t.refresh }).click()
    await expect(page.getByText(snackbar.monitoringRefresh, { exact: true })).toBeVisible()
    // it stays so for ten seconds at least: it takes two good looks to be up again
    await db()
      .update(monitoringChecks)
      .set({ status: 'down', lastError: 'timeout', errorAt: new Date() })
      .where(eq(monitoringChecks.key, 'redis'))
    await invalidate(db(), 'monitoring')
    await page.goto(`${monitoring}?filter[status]=down`)
    const header = page.getByRole('banner')
    await expect(header.getByRole('link', { name: /^(Мониторинг|Monitoring):/ })).toBeVisible()
    const row = page.getByRole('row').filter({ hasText: t.kinds.redis })
    await expect(row.getByText(t.statuses.down)).toBeVisible()
    await expect(row.getByRole('cell').getByText(t.errors.timeout)).toBeVisible()
    await row.getByRole('link', { name: t.kinds.redis }).click()
    await expect(page.getByRole('heading', { name: t.history.replace('{name}', t.kinds.redis) })).toBeVisible()
    await db().update(monitoringChecks).set({ status: 'up' }).where(eq(monitoringChecks.key, 'redis'))
    await invalidate(db(), 'monitoring')
  })

  test(`a license is checked, put in and removed; a key for elsewhere is refused, ${language}`, async ({
    page,
    context,
    database: _,
  }) => {
    await db().delete(licenses)
    const issue = (domain: string) =>
      issueLicense(process.env.TEST_LICENSE_KEY ?? '', { owner: 'Polaris', domain, expiresAt: null, sessions: 9_000 })
    await asPerson(context, 'admin', language)
    await page.goto(system)
    await takenOver(page)
    await page.getByRole('button', { name: l.add }).click()
    const dialog = page.getByRole('dialog', { name: l.add })
    await dialog.getByLabel(l.key).fill(issue('elsewhere.example'))
    await dialog.getByLabel(l.domain).fill('id.polaris.example')
    await dialog.getByRole('button', { name: l.save }).click()
    await expect(dialog.getByText(errors.errorLicenseDomain).first()).toBeVisible()
    await dialog.getByLabel(l.key).fill(issue('id.polaris.example'))
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

  test(`who may read only can’t change the license, and others see none of it, ${language}`, async ({
    page,
    context,
    database: _,
  }) => {
    await asPerson(context, 'auditor', language)
    await page.goto(system)
    await expect(page.getByRole('heading', { level: 1, name: shell.screens.PlatformSystem })).toBeVisible()
    await expect(page.getByRole('button', { name: l.add })).toHaveCount(0)
    await page.goto('about:blank')
    await asPerson(context, 'services', language)
    for (const path of [monitoring, system, '/platform/setting/diagnostics']) {
      const answer = await page.goto(path)
      expect(answer?.status()).toBe(403)
      await expect(page.getByRole('table')).toHaveCount(0)
    }
  })
}
