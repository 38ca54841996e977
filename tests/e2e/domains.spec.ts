import { like } from 'drizzle-orm'
import { db } from '@/db/client'
import { domains } from '@/db/schema/platform'
import { invalidate } from '@/lib/base/cache/cache'
import { createDomainWith } from '../factories/platform'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { domains: t, ui, errors, snackbar } = words
const path = '/platform/setting/domains'
const prefix = 'E2E domains '

async function forget() {
  await db()
    .delete(domains)
    .where(like(domains.comment, `${prefix}%`))
  await db().transaction((tx) => invalidate(tx, 'domains'))
}
test.beforeEach(async ({ database: _ }) => forget())
test.afterEach(forget)

test('a domain is created, its texts are seen before they are saved, and then served at its address', async ({
  page,
  context,
}) => {
  const host = 'e2e-domains-made.localhost'
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  await page.getByRole('button', { name: t.create }).click()
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  await dialog.getByLabel(t.host, { exact: true }).fill(`https://${host}`)
  await dialog.getByLabel(t.comment, { exact: true }).fill(`${prefix}made`)
  await dialog.getByLabel(t.projectTitle, { exact: true }).fill('Портал E2E')
  await dialog.getByRole('button', { name: ui.create, exact: true }).click()
  await expect(dialog.getByText(errors.errorScheme).first()).toBeVisible()
  await dialog.getByLabel(t.host, { exact: true }).fill(host)
  await dialog.getByRole('button', { name: ui.create, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: host })).toBeVisible()

  const name = page.getByLabel(t.projectName, { exact: true })
  await name.fill('Подпись E2E')
  await expect(page.getByRole('img', { name: /Подпись E2E/ })).toBeVisible()
  await expect(page.getByText(`Русский: ${t.projectName}`)).toBeVisible()
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

test('an address of another domain is refused where it stands, and leaving asks', { tag: '@full' }, async ({
  page,
  context,
}) => {
  const takenHost = 'e2e-domains-taken.localhost'
  await createDomainWith({ hosts: [takenHost], comment: `${prefix}taken` })
  const id = await createDomainWith({ hosts: [], comment: `${prefix}draft`, type: 'draft', in: {} })
  await asOwn(context, 'administrator', language)
  await page.goto(`${path}/${id}`)
  await page.getByRole('tab', { name: t.tabs.addresses }).click()
  await page.getByRole('button', { name: t.addHost, exact: true }).click()
  await page.keyboard.type(takenHost)
  await page.getByRole('tab', { name: t.tabs.devices }).click()
  await page.getByRole('button', { name: ui.saveBar.save, exact: true }).click()
  const host = page.getByRole('textbox', { name: `${t.host} 1` })
  await expect(host).toBeVisible()
  await expect(host).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText(errors.errorUnique).first()).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: t.history }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
})
