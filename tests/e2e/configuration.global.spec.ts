import { readFile } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { applications } from '@/db/schema/platform'
import { newApplication } from '../factories/applications'
import { expect, test } from './fixtures'
import { languages } from './sign-in-page'
import { asPerson } from './signed-in'
import { en, ru } from './words'

const words = { ru, en }
const address = '/platform/setting/configuration'
const given = (configuration: object) => ({
  name: 'configuration.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(configuration)),
})

for (const language of languages) {
  const { configuration: t, errors } = words[language]

  test(`a configuration is taken away, changed, compared and applied, ${language}`, async ({ page, context }) => {
    await asPerson(context, 'admin', language)
    await page.goto(address)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: t.download }).click(),
    ])
    const file = JSON.parse(await readFile(await download.path(), 'utf8'))
    expect(Object.keys(file)).toEqual(['format', 'version', 'secrets', 'content'])
    file.content.banners.push({
      code: `from-a-file-${language}`,
      title: `Из файла ${language}`,
      text: '',
      link: '',
      visible: false,
    })
    const choose = page.locator('input[type=file]')
    await choose.setInputFiles(given(file))
    await page.getByRole('button', { name: t.compare }).click()
    const object = page.locator('summary').filter({ hasText: `from-a-file-${language}` })
    await expect(object).toBeVisible()
    await expect(page.getByText(`Из файла ${language}`)).toBeVisible()
    await page
      .getByRole('button', { name: /1/ })
      .filter({ hasText: language === 'ru' ? 'Применить' : 'Apply' })
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: t.applyNow }).click()
    await expect(page.getByText(t.doneTitle).first()).toBeVisible()
    await page.getByRole('button', { name: t.compare }).click()
    await expect(page.getByText(t.same)).toBeVisible()
  })

  test(`a foreign file and a wrong object are refused in words, ${language}`, async ({ page, context }) => {
    await asPerson(context, 'admin', language)
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
    const { id, code } = await newApplication()
    const webhook = { webhook: 'W', name: 'W', url: 'ftp://w.example', types: ['user.created'], enabled: false }
    await choose.setInputFiles(
      given({ ...header, content: { webhooks: [{ application: code, ...webhook, secret: null }] } }),
    )
    await page.getByRole('button', { name: t.compare }).click()
    await expect(alert).toContainText(errors.errorWebhookAddress)
    await db().delete(applications).where(eq(applications.id, id))
    await choose.setInputFiles(given({ ...header, version: 0 }))
    await page.getByRole('button', { name: t.compare }).click()
    await expect(alert).toContainText(language === 'ru' ? 'старой версии 0' : 'older version 0')
  })
}
