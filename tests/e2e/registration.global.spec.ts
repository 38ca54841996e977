import { expect, test } from './fixtures'
import { leavesNothing } from './nothing-left'
import { speak } from './people'
import { RegistrationPage } from './registration-page'
import { reset, store } from './shell-page'
import { SignInPage } from './sign-in-page'
import { spokenIn } from './spoken'

leavesNothing()

const { language } = spokenIn(import.meta.filename)

test.afterEach(() => reset('registrationEnabled'))

test('while nobody may register, the form and each link say so, and nothing leads there', {
  tag: '@full',
}, async ({ page, context, outbox, baseURL }) => {
  await speak(context, language, baseURL)
  const form = new RegistrationPage(page, language)
  const { dead } = form.t.registration
  const { path } = await form.arrive(outbox)
  await store({ registrationEnabled: false })
  for (const closed of ['/platform/registration', path]) {
    // the server reloads the setting after a moment
    await expect(async () => {
      await page.goto(closed)
      await expect(form.heading).toHaveText(dead.disabled.title, { timeout: 1000 })
    }).toPass()
    await page.getByRole('link', { name: form.t.common.toSignIn }).click()
    await expect(new SignInPage(page, language).identifier).toBeVisible()
    await expect(page.locator('a[href="/platform/registration"]')).toHaveCount(0)
  }
  await store({ registrationEnabled: true })
  await expect(async () => {
    await page.goto('/platform/registration')
    await expect(form.fio).toBeVisible({ timeout: 1000 })
  }).toPass()
})
