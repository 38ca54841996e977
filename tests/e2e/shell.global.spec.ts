import { expect } from './fixtures'
import { test } from './lasting-context'
import { leavesNothing } from './nothing-left'
import { ownPerson } from './own-people'
import { at, forgetChoices, reset, store } from './shell-page'
import { spokenIn } from './spoken'

leavesNothing()

const { language, words } = spokenIn(import.meta.filename)
const { shell } = words

test.afterEach(() => reset('headerVisible', 'editNavMini', 'uiNavMini'))

test('without a header the side menu has the person, theme, language and sign-out', { tag: '@full' }, async ({
  page,
}) => {
  await store({ headerVisible: false })
  const { firstName, lastName } = await at(page, 'employee', '/platform/apps', language)
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('link', { name: `${firstName} ${lastName}` })).toBeVisible()
  await page.getByRole('button', { name: shell.preferences }).click()
  await expect(page.getByRole('radio', { name: shell.themes.dark })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: words.common.signOut }).click()
  await expect(page).toHaveURL('/platform/login')
})

test('the side menu can’t be folded if the settings forbid it', { tag: '@full' }, async ({ page }) => {
  await forgetChoices((await ownPerson('employee')).login)
  await store({ editNavMini: false, uiNavMini: true })
  await at(page, 'employee', '/platform/apps', language)
  await expect(page.locator('[data-mini]')).toBeVisible()
  await expect(page.getByRole('button', { name: shell.unfoldMenu })).toHaveCount(0)
})
