import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { userSettings } from '@/db/schema'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { speak } from './people'
import { forgetChoices } from './shell-page'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { law: t, common } = words

test('help leads from the footer of the sign-in page to the section with the answer', async ({
  page,
  context,
  baseURL,
}) => {
  await speak(context, language, baseURL)
  await page.goto('/platform/login')
  await page.getByRole('contentinfo').getByRole('link', { name: common.help, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t.help.title)
  const search = page.getByRole('searchbox', { name: t.help.search })
  await search.fill(language === 'ru' ? 'приходит письмо' : 'code arrive')
  await search.press('Enter')
  await expect(page).toHaveURL(/search=/)
  const first = page.getByRole('main').getByRole('listitem').first()
  await expect(first.locator('mark').first()).toBeVisible()
  await first.getByRole('link').click()
  await expect(page).toHaveURL(/\/platform\/law\/help#part-\d$/)
  await page.goto('/platform/help?search=%3Cscript%3Ezzz')
  await expect(
    page.getByRole('heading', { name: t.help.nothing.title.replace('{query}', '<script>zzz') }),
  ).toBeVisible()
  await page.getByRole('link', { name: t.help.clear }).click()
  await expect(page.getByRole('heading', { name: t.help.documents })).toBeVisible()
  await expect(page.getByRole('link', { name: 'support@polaris.example' }).first()).toHaveAttribute(
    'href',
    'mailto:support@polaris.example',
  )
})

test('a signed-in person’s cookie consent on a law page is stored on the server', { tag: '@full' }, async ({
  page,
  context,
}) => {
  const { id, login } = await asOwn(context, 'employee', language)
  await forgetChoices(login)
  await page.goto('/platform/help')
  const notice = page.getByRole('region', { name: common.cookie.label })
  // the notice goes before the server has answered
  const stored = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await notice.getByRole('button', { name: common.cookie.accept }).click()
  await expect(notice).toHaveCount(0)
  expect((await stored).status()).toBe(200)
  await expect(page).toHaveURL('/platform/help')
  const [row] = await db().select().from(userSettings).where(eq(userSettings.userId, id))
  expect(row?.cookie).toBe(true)
})
