import { eq, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { domainAliases, domains } from '@/db/schema/platform'
import { partnersId } from '@/db/seed/demo/domains'
import { invalidate } from '@/lib/kernel/cache'
import { expect, test } from './fixtures'
import { languages } from './sign-in-page'
import { asPerson } from './signed-in'
import { en, ru } from './words'

const words = { ru, en }
const path = '/platform/setting/domains'
const russian = { ru: 'Русский', en: 'Русский' }

test.beforeEach(async ({ database: _ }) => {
  await db().delete(domains).where(like(domains.comment, 'E2E %'))
  await db().transaction((tx) => invalidate(tx, 'domains'))
})

for (const language of languages) {
  const { domains: t, ui, errors, snackbar } = words[language]

  test(`a domain is created, its texts are seen before they are saved, and then served at its address, ${language}`, async ({
    page,
    context,
  }) => {
    const host = `e2e-${language}.localhost`
    await asPerson(context, 'admin', language)
    await page.goto(path)
    await page.getByRole('button', { name: t.create }).click()
    const dialog = page.getByRole('dialog', { name: t.createTitle })
    await dialog.getByLabel(t.host, { exact: true }).fill(`https://${host}`)
    await dialog.getByLabel(t.comment, { exact: true }).fill('E2E домен')
    await dialog.getByLabel(t.projectTitle, { exact: true }).fill('Портал E2E')
    await dialog.getByRole('button', { name: ui.create, exact: true }).click()
    await expect(dialog.getByText(errors.errorScheme).first()).toBeVisible()
    await dialog.getByLabel(t.host, { exact: true }).fill(host)
    await dialog.getByRole('button', { name: ui.create, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: host })).toBeVisible()

    const name = page.getByLabel(t.projectName, { exact: true })
    await name.fill('Подпись E2E')
    await expect(page.getByRole('img', { name: /Подпись E2E/ })).toBeVisible()
    await expect(page.getByText(`${russian[language]}: ${t.projectName}`)).toBeVisible()
    await page.getByRole('tab', { name: t.tabs.look }).click()
    await page.getByRole('radio', { name: t.styles.partners }).check()
    await page.getByRole('button', { name: ui.saveBar.save, exact: true }).click()
    await expect(page.getByText(snackbar.domainsUpdate)).toBeVisible()
    await expect(page.getByRole('button', { name: ui.saveBar.save, exact: true })).toBeHidden()
    const served = new URL('/platform/login', process.env.PUBLIC_URL)
    served.hostname = host
    await page.goto(served.href)
    await expect(page.getByRole('banner')).toContainText('Подпись E2E')
    await expect(page.locator('link[href*="/style/partners/"]').first()).toBeAttached()
  })

  test(`an address of another domain is refused where it stands, and leaving asks, ${language}`, async ({
    page,
    context,
  }) => {
    await asPerson(context, 'admin', language)
    const [taken] = await db().select().from(domainAliases).where(like(domainAliases.host, 'partners.%'))
    const [own] = await db().insert(domains).values({ comment: 'E2E черновик', type: 'draft' }).returning()
    expect(taken?.domainId).toBe(partnersId)
    await page.goto(`${path}/${own?.id}`)
    await page.getByRole('tab', { name: t.tabs.addresses }).click()
    await page.getByRole('button', { name: t.addHost, exact: true }).click()
    await page.keyboard.type(taken?.host ?? '')
    await page.getByRole('tab', { name: t.tabs.devices }).click()
    await page.getByRole('button', { name: ui.saveBar.save, exact: true }).click()
    const host = page.getByRole('textbox', { name: `${t.host} 1` })
    await expect(host).toBeVisible()
    await expect(host).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByText(errors.errorUnique).first()).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: t.history }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await db()
      .delete(domains)
      .where(eq(domains.id, own?.id ?? ''))
  })
}
