import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { applications, oidcClients } from '@/db/schema'
import { expect, test } from './fixtures'
import { languages } from './sign-in-page'
import { asPerson } from './signed-in'
import { wordsOf } from './words'

for (const language of languages)
  test(`pictures ${language}`, async ({ page, context, database: _ }) => {
    test.setTimeout(200_000)
    const { 'client-trial': t } = wordsOf(language)
    const [row] = await db()
      .select({ id: applications.id, clientId: oidcClients.clientId })
      .from(applications)
      .innerJoin(oidcClients, eq(oidcClients.applicationId, applications.id))
      .where(eq(applications.code, 'procurement'))
    await asPerson(context, 'admin', language)
    const shot = async (name: string, widths = [1440, 820, 360]) => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme: width === 820 ? 'dark' : 'light' })
        await page.waitForTimeout(400)
        await page.screenshot({ path: `/tmp/pics/${name}-${language}-${width}.png`, fullPage: true })
      }
    }
    await page.goto(`/platform/setting/applications/${row?.id}?tab=clients`)
    await shot('clients', language === 'ru' ? [1440, 820, 360] : [1440])
    await page.goto(`/platform/setting/applications/${row?.id}/trial?client=${row?.clientId}`)
    await shot('trial', language === 'ru' ? [1440, 820, 360] : [360])
    await page.getByRole('button', { name: t.begin, exact: true }).click()
    await expect(page.getByText(t.well)).toBeVisible()
    await shot('outcome')
    if (language === 'ru') {
      for (const tab of ['', '?tab=sessions', '?tab=access']) {
        await page.goto(`/platform/setting/applications/${row?.id}${tab}`)
        await shot(`card${tab.replace(/\W+/g, '-')}`)
      }
      await page.goto('/platform/setting/domains')
      await shot('domains')
      await page.getByRole('main').getByRole('link').filter({ hasText: /./ }).nth(0).click()
      await page.waitForTimeout(1500)
      await shot('domain')
    }
  })
