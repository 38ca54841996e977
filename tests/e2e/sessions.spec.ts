import type { Browser } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { sessions } from '@/db/schema'
import { expect, test } from './fixtures'
import { ownPerson } from './own-people'
import { settled, signInAs, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { sessions: t, common, snackbar, entry } = words
const country = language === 'ru' ? 'Россия' : 'Russia'
const path = '/platform/profile/sessions'
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

/** Another browser of the same person, with an open page. */
async function elsewhere(browser: Browser, login: string, open = '/platform/profile') {
  const context = await browser.newContext({ userAgent: phone, baseURL: process.env.PUBLIC_URL })
  await signInAs(context, login, language)
  const page = await context.newPage()
  await page.goto(open)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return { context, page }
}

test('when a session is ended from another one, its open tabs leave at once', async ({ page, context, browser }) => {
  const { login } = await ownPerson('oneService')
  await signInAs(context, login, language)
  const other = await elsewhere(browser, login, '/platform/profile/personal')
  const second = await other.context.newPage()
  await second.goto('/platform/profile')
  await expect(second.getByRole('heading', { level: 1 })).toBeVisible()

  await page.goto(path)
  const cards = page.getByRole('article')
  await expect(cards.first()).toContainText(t.here)
  await expect(cards.first()).toContainText(t.activeNow)
  await expect(cards.first()).toContainText(country)
  const card = cards.filter({ hasText: 'Safari 18' }).first()
  await card.getByRole('button').click()
  const ask = page.getByRole('alertdialog')
  await expect(ask).toContainText('Safari 18')
  await ask.getByRole('button', { name: t.end, exact: true }).click()
  await expect(page.getByText(snackbar.sessionEnd, { exact: true })).toBeVisible()
  await expect(ask).toBeHidden()

  for (const endedPage of [other.page, second]) {
    await expect(endedPage).toHaveURL(/\/platform\/login\?/)
    await expect(endedPage.getByText(entry.ended.endedByUser, { exact: true })).toBeVisible()
  }
  // signing in again leads back to the same page
  expect(new URL(other.page.url()).searchParams.get('path')).toBe('/platform/profile/personal')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await other.context.close()
})

test('ending all other sessions, then all, ends exactly those', async ({ page, context, browser }) => {
  const { login } = await ownPerson('employee')
  await signInAs(context, login, language)
  const other = await elsewhere(browser, login)
  await page.goto(path)
  await page.getByRole('button', { name: t.endOthers }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t.endOthers }).click()
  await expect(other.page).toHaveURL(/\/platform\/login\?/)
  await expect(page.getByText(t.noOthers)).toBeVisible()
  await expect(page.getByRole('button', { name: t.endOthers })).toHaveCount(0)
  // the buttons and cards have disappeared, but the focus isn't lost
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  const again = await elsewhere(browser, login)
  await page.reload()
  await page.getByRole('button', { name: t.endAll }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t.endAll }).click()
  await expect(page).toHaveURL(/\/platform\/login\?/)
  await expect(again.page).toHaveURL(/\/platform\/login\?/)
  await expect(page.getByText(entry.ended.endedByUser)).toBeVisible()
  await other.context.close()
  await again.context.close()
})

test('a session that has ended meanwhile can’t be ended again, and its card goes', { tag: '@full' }, async ({
  page,
  context,
  browser,
  database: _,
}) => {
  const { login, id } = await ownPerson('manager')
  await signInAs(context, login, language)
  const other = await elsewhere(browser, login)
  await page.goto(path)
  const card = page.getByRole('article').filter({ hasText: 'Safari 18' })
  await card.getByRole('button').click()
  const ask = page.getByRole('alertdialog')
  await expect(ask).toContainText('Safari 18')
  // signed out there in the meantime
  await other.context.request.post('/api/v1/platform/auth/logout', {
    headers: { origin: process.env.PUBLIC_URL ?? '' },
  })
  await ask.getByRole('button', { name: t.end, exact: true }).click()
  await expect(page.getByText(snackbar.sessionEndError, { exact: true })).toBeVisible()
  await expect(card).toHaveCount(0)
  expect(await db().$count(sessions, eq(sessions.userId, id))).toBeGreaterThan(0)
  await other.context.close()
})

test('a page without a stream asks the server, and leaves too', { tag: '@full' }, async ({
  page,
  context,
  browser,
}) => {
  const { login } = await ownPerson('support')
  await signInAs(context, login, language)
  const other = await browser.newContext({ userAgent: phone, baseURL: process.env.PUBLIC_URL })
  await signInAs(other, login, language)
  const otherPage = await other.newPage()
  await otherPage.addInitScript(() => Reflect.deleteProperty(window, 'EventSource'))
  await otherPage.clock.install()
  await otherPage.goto('/platform/profile')
  await expect(otherPage.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto(path)
  await page.getByRole('button', { name: t.endOthers }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t.endOthers }).click()
  await expect(page.getByText(t.noOthers)).toBeVisible()
  await otherPage.clock.fastForward(31_000)
  await expect(otherPage).toHaveURL(/\/platform\/login\?ended=/)
  await other.close()
})

test('after signing out in one tab, the other tabs show the sign-in page without a message', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await signInAs(context, (await ownPerson('noServices')).login, language)
  const other = await context.newPage()
  await other.goto('/platform/profile')
  await page.goto(path)
  await page.getByRole('article').first().getByRole('button', { name: common.signOut }).click()
  await expect(page).toHaveURL(/\/platform\/login$/)
  await expect(other).toHaveURL(/\/platform\/login$/)
})

test('this device reports its screen, is active now, and stands with its country', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 1100, height: 700 })
  await signInAs(context, (await ownPerson('auditor')).login, language)
  const deviceAnswer = page.waitForResponse((response) => response.url().endsWith('/user/profile/device'))
  await page.goto(path)
  expect((await deviceAnswer).status()).toBe(200)
  await page.reload()
  const here = page.getByRole('article').first()
  await expect(here).toContainText('1100 × 700')
  await expect(here).toContainText(t.activeNow)
  // by the local database that the tests give the platform
  await expect(here).toContainText(country)
})

test('works by keyboard', { tag: '@full' }, async ({ page, context, browser }) => {
  const { login } = await ownPerson('emptyFields')
  await signInAs(context, login, language)
  const other = await elsewhere(browser, login)
  await page.goto(path)
  await takenOver(page)
  const end = page.getByRole('article').filter({ hasText: 'Safari 18' }).first().getByRole('button')
  await end.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await settled(page)
  await page.keyboard.press('Escape')
  await expect(end).toBeFocused()
  await other.context.close()
})

test.describe('a browser in another time zone', () => {
  test.use({ timezoneId: 'Asia/Vladivostok' })

  test('shows its own times, from the first page on, and mails follow', { tag: '@full' }, async ({
    page,
    context,
    baseURL,
  }) => {
    const { login } = await ownPerson('administrator')
    // without the pages of the sign-in, no script has told the zone before
    await signInAs(context, login, language)
    await page.goto(path)
    const time = page.locator('main time').first()
    const moment = new Date((await time.getAttribute('datetime')) ?? '')
    const hourIn = (timeZone: string) =>
      new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', timeZone }).format(moment)
    expect(hourIn('Asia/Vladivostok')).not.toBe(hourIn('Europe/Moscow'))
    await expect(time).toContainText(hourIn('Asia/Vladivostok'))
    const zone = async () => {
      const answer = await context.request.get(`${baseURL}/api/v1/platform/users/settings`)
      return (await answer.json()).settings.timeZone
    }
    await expect.poll(zone).toBe('Asia/Vladivostok')
    await page.reload()
    await expect(time).toContainText(hourIn('Asia/Vladivostok'))
  })
})
