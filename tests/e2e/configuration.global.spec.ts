import { readFile } from 'node:fs/promises'
import { like } from 'drizzle-orm'
import { createTranslator } from 'next-intl'
import { db } from '@/db/client'
import { applications, banners } from '@/db/schema/platform'
import { newApplication } from '../factories/applications'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { leavesNothing } from './nothing-left'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

// a configuration is read and compared as a whole
leavesNothing()

const { language, words } = spokenIn(import.meta.filename)
const { configuration: t, errors } = words
const say = createTranslator({ locale: language, messages: words, namespace: 'configuration' })
const address = '/platform/setting/configuration'
const code = 'e2e-from-a-file'
const given = (configuration: object) => ({
  name: 'configuration.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(configuration)),
})

const forget = async () => {
  await db()
    .delete(banners)
    .where(like(banners.code, `${code}%`))
  await db()
    .delete(applications)
    .where(like(applications.code, `${code}%`))
}
test.beforeEach(async ({ database: _ }) => forget())
test.afterEach(forget)

test('a configuration is taken away, changed, compared and applied', async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  await page.goto(address)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: t.download }).click(),
  ])
  const file = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(Object.keys(file)).toEqual(['format', 'version', 'secrets', 'content'])
  // what a file leaves out isn't compared: other files of tests have stored what no screen would accept
  const banner = { code, title: 'E2E из файла', text: '', link: '', visible: false }
  file.content = { banners: [...file.content.banners, banner] }
  const choose = page.locator('input[type=file]')
  await choose.setInputFiles(given(file))
  await page.getByRole('button', { name: t.compare }).click()
  const object = page.locator('summary').filter({ hasText: code })
  await expect(object).toBeVisible()
  await expect(page.getByText('E2E из файла')).toBeVisible()
  await page.getByRole('button', { name: say('apply', { count: 1 }), exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t.applyNow }).click()
  await expect(page.getByText(t.doneTitle).first()).toBeVisible()
  await page.getByRole('button', { name: t.compare }).click()
  await expect(page.getByText(t.same)).toBeVisible()
})

test('a foreign file and a wrong object are refused in words', { tag: '@full' }, async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  await page.goto(address)
  const choose = page.locator('input[type=file]')
  await choose.setInputFiles(given({ name: 'another program' }))
  await page.getByRole('button', { name: t.compare }).click()
  const alert = page.getByRole('alert').filter({ hasText: t.refused })
  await expect(alert).toContainText(errors.errorConfigurationForeign)
  const header = { format: 'identity-platform/configuration', version: 2, secrets: 'omitted' }
  await choose.setInputFiles(
    given({
      ...header,
      content: { banners: [{ code: 'x', title: 'X', text: '', link: 'javascript:1', visible: true }] },
    }),
  )
  await page.getByRole('button', { name: t.compare }).click()
  await expect(alert).toContainText('banners[x].link')
  // what the screen of webhooks would say, in its words
  const application = await newApplication({ code: `${code}-application` })
  const webhook = { webhook: 'W', name: 'W', url: 'ftp://w.example', types: ['user.created'], enabled: false }
  await choose.setInputFiles(
    given({ ...header, content: { webhooks: [{ application: application.code, ...webhook, secret: null }] } }),
  )
  await page.getByRole('button', { name: t.compare }).click()
  await expect(alert).toContainText(errors.errorWebhookAddress)
  await choose.setInputFiles(given({ ...header, version: 0 }))
  await page.getByRole('button', { name: t.compare }).click()
  await expect(alert).toContainText(language === 'ru' ? 'старой версии 0' : 'older version 0')
})
