import type { Browser } from '@playwright/test'
import { expect, test } from './fixtures'
import { person } from './people'
import { password } from './sign-in-page'
import { signInAs } from './signed-in'
import { spokenIn } from './spoken'

const { language, words: t } = spokenIn(import.meta.filename)
const words = t['sign-in-report']

type Outbox = (recipient: string) => Promise<{ text: string }>

/** Somebody who signs in at home, and then a stranger does; the stranger's browser, and the mailed address. */
async function robbed(browser: Browser, outbox: Outbox, baseURL = '') {
  const user = await person(['credentials'])
  const [home, stranger] = [await browser.newContext({ baseURL }), await browser.newContext({ baseURL })]
  await signInAs(home, user.login)
  await signInAs(stranger, user.login)
  await home.close()
  const { text } = await outbox(user.email ?? '')
  return { user, stranger, address: /\/platform\/login\/device\/\S+/.exec(text)?.[0] ?? '' }
}

test('somebody else’s sign-in is ended from the mail, and a new password set', async ({
  page,
  context,
  browser,
  outbox,
  baseURL,
}) => {
  const { stranger, address } = await robbed(browser, outbox, baseURL)
  const theirs = await stranger.newPage()
  await theirs.goto('/platform/profile')
  await context.addCookies([{ name: 'locale', value: language, url: baseURL ?? '' }])
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.title)
  await page.getByRole('button', { name: words.confirm }).click()
  await expect(page).toHaveURL(/\/platform\/new-password\//)
  // the stranger's open tab leaves by itself
  await expect(theirs).toHaveURL(/\/platform\/login/)
  await stranger.close()
  const next = `${password}-new`
  await page.getByLabel(t.entry.password.password, { exact: true }).fill(next)
  await page.getByLabel(t.entry.password.repeat, { exact: true }).fill(next)
  await page.getByRole('button', { name: t.recovery.set.save }).click()
  await expect(page).toHaveURL('/platform/profile')

  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.dead.linkUsed.title)
})

test('whose sign-in it was goes on, and another account has to sign out first', { tag: '@full' }, async ({
  page,
  context,
  browser,
  outbox,
  baseURL,
}) => {
  const { stranger, address } = await robbed(browser, outbox, baseURL)
  await signInAs(context, (await person(['credentials'])).login, language)
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.dead.accessError.title)
  await page.getByRole('button', { name: words.signOut }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.title)
  await page.getByRole('link', { name: words.mine }).click()
  await expect(page).toHaveURL(/\/platform\/login/)
  expect((await stranger.request.get(`${baseURL}/api/v1/platform/users/settings`)).status()).toBe(200)
  await stranger.close()
})
