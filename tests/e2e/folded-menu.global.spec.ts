import { expect } from './fixtures'
import { test } from './lasting-context'
import { leavesNothing } from './nothing-left'
import { choiceKept, forgetChoices, overflows, reset, store } from './shell-page'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

leavesNothing()

const { language, words } = spokenIn(import.meta.filename)
const { shell } = words

test('the folded menu shows whole titles under its icons within its width if navMiniTitle is on', {
  tag: '@full',
}, async ({ page, context, database: _ }) => {
  const { login } = await asOwn(context, 'employee', language)
  await page.goto('/platform/profile/sessions')
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
    const choice = choiceKept(page, 'navMini')
    await page.getByRole('button', { name: shell.foldMenu }).click()
    await choice
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
    await forgetChoices(login)
  }
})
