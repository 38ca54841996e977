import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { userSettings, users } from '@/db/schema'
import { expect, test } from './fixtures'
import { at, choiceKept, forgetChoices, host, overflows, reset, shell, store } from './shell-page'
import { texts } from './sign-in-page'
import { asPerson } from './signed-in'

test('the folded menu shows whole titles under its icons within its width if navMiniTitle is on', async ({
  page,
  database: _,
}) => {
  await at(page, 'services', '/platform/profile/sessions')
  const menu = page.getByRole('navigation', { name: shell.mainMenu })
  const entry = menu.getByRole('link', { name: shell.screens.UserProfileMain })
  const title = entry.getByText(shell.screens.UserProfileMain)
  const box = async () => {
    const [words, icon, around] = await Promise.all([
      title.boundingBox(),
      entry.locator('svg').boundingBox(),
      entry.boundingBox(),
    ])
    if (!words || !icon || !around) throw new Error('the entry is not drawn')
    return { words, icon, around }
  }
  try {
    await store({ navMiniTitle: true })
    const kept = choiceKept(page, 'navMini')
    await page.getByRole('button', { name: shell.foldMenu }).click()
    await kept
    await page.reload()
    const { words, icon, around } = await box()
    expect(words.y).toBeGreaterThanOrEqual(icon.y + icon.height)
    expect(words.width).toBeGreaterThan(20)
    expect(words.x).toBeGreaterThanOrEqual(around.x)
    expect(words.x + words.width).toBeLessThanOrEqual(around.x + around.width + 0.5)
    expect(around.x + around.width).toBeLessThanOrEqual(104)
    expect(await overflows(page)).toBe(false)
    // no label is cut off
    for (const link of await menu.getByRole('link').all())
      expect(await link.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)

    await store({ navMiniTitle: false })
    await page.reload()
    expect((await box()).words.width).toBeLessThanOrEqual(1)
  } finally {
    await reset('navMiniTitle')
    await forgetChoices('services')
  }
})

test('a signed-in person’s cookie consent on a law page is stored on the server', async ({
  page,
  context,
  baseURL,
}) => {
  await forgetChoices('services')
  await asPerson(context, 'services')
  await page.goto(`${host(baseURL)}/platform/help`)
  const kept = choiceKept(page, 'cookie')
  await page.getByRole('button', { name: texts.ru.common.cookie.accept }).click()
  expect((await kept).status()).toBe(200)
  const [row] = await db()
    .select({ cookie: userSettings.cookie })
    .from(userSettings)
    .innerJoin(users, eq(users.id, userSettings.userId))
    .where(eq(users.login, 'services'))
  expect(row?.cookie).toBe(true)
  await forgetChoices('services')
})
