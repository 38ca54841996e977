import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { invitations } from '@/db/schema/entry'
import { users } from '@/db/schema/people'
import { plantInvitation } from '../factories/companies'
import { expect, test } from './fixtures'
import { partnersOf, speak } from './people'
import { newEmail, newNumber, pathIn, RegistrationPage } from './registration-page'
import { password } from './sign-in-page'
import { fitsItsWidth } from './signed-in'
import { spokenIn } from './spoken'

// registering and answering an invitation where no script runs
test.describe.configure({ mode: 'parallel' })
test.use({ javaScriptEnabled: false })

const { language, words } = spokenIn(import.meta.filename)
const { registration, person, entry, errors, common, invitation, ui } = words
const wrong = (code: string) => code.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))

let form: RegistrationPage
/** Looks at the page on a phone and on a desktop. */
let look: () => Promise<void>
test.beforeEach(async ({ page, context, baseURL, axe }) => {
  await speak(context, language, baseURL)
  form = new RegistrationPage(page, language)
  look = async () => {
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await page.evaluate(fitsItsWidth), `${page.url()} at ${width} px`).toBe(true)
      await axe(page)
    }
  }
})

const proceed = () => form.button(common.continue).click()

/** Proves a mobile by its code, after a wrong one. */
async function prove(outbox: (to: string) => Promise<{ code: string }>) {
  const number = newNumber()
  await form.mobile.fill(`8 ${number}`)
  await form.button(person.getCode).click()
  await look()
  const { code } = await outbox(`+7${number}`)
  await form.code.fill(wrong(code))
  await proceed()
  await expect(form.code).toHaveAccessibleDescription(errors.errorCode)
  await expect(form.code).toHaveValue('')
  await form.code.fill(`${code.slice(0, 2)} ${code.slice(2)}`)
  await proceed()
  await expect(form.page.getByText(person.verified)).toBeVisible()
  return `+7${number}`
}

async function fillPasswords(page: Page, repeat = `${password}-new`) {
  await expect(page.getByRole('button', { name: entry.password.generate })).toBeHidden()
  await form.password.fill(`${password}-new`)
  await form.repeat.fill(repeat)
}

test('a registration, from the first form to the profile', async ({ page, outbox }) => {
  const email = newEmail()
  await form.open()
  await form.button(registration.submit).click()
  const fields = form.summary(registration.errorFieldsTitle)
  await expect(fields).toBeFocused()
  await expect(form.fio).toHaveAccessibleDescription(new RegExp(errors.errorEmpty))
  await look()
  await fields.getByRole('link').last().click()
  await expect(form.email).toBeFocused()
  await form.ask('name@polaris')
  await expect(form.email).toHaveAccessibleDescription(errors.errorEmail)
  await expect(form.fio).toHaveValue(form.t.name)
  await form.ask(email)
  await expect(form.heading).toHaveText(registration.sent.title)
  await expect(page.getByText(email)).toBeVisible()
  await look()
  // too early: nothing is sent, and nothing is claimed
  await form.button(registration.sent.resend).click()
  await expect(page.getByText(registration.sent.again.split('<email>')[0] ?? '')).toHaveCount(0)
  await form.button(registration.sent.change).click()
  await expect(form.email).toHaveValue(email)
  await form.button(registration.submit).click()
  await expect(form.heading).toHaveText(registration.sent.title)

  const path = pathIn((await outbox(email)).text)
  await page.goto(path)
  await expect(form.heading).toHaveText(registration.finish.mobile.title)
  await form.button(person.getCode).click()
  await expect(form.mobile).toHaveAccessibleDescription(errors.errorEmpty)
  await look()
  const mobile = await prove(outbox)
  await fillPasswords(page, 'another')
  await form.fillFurther()
  await form.finish()
  await expect(form.repeat).toHaveAccessibleDescription(errors.errorMatch)
  await expect(page.locator('[name="additionalInfo.position"]')).toHaveValue('Инженер')
  await expect(form.password).toHaveValue('')
  await look()
  await fillPasswords(page)
  await form.finish()
  await expect(page).toHaveURL('/platform/profile')
  expect((await db().select().from(users).where(eq(users.email, email)))[0]).toMatchObject({ mobile, locale: language })
  await page.goto(path)
  await expect(form.heading).toHaveText(registration.dead.linkUsed.title)
  await look()
})

test('an invitation, by somebody new', async ({ page, baseURL, outbox, database: _ }) => {
  const planted = await plantInvitation()
  await page.goto(`${partnersOf(baseURL)}/platform/invitation/${planted.guid}`)
  await expect(form.heading).toHaveText(invitation.title)
  await look()
  const mobile = await prove(outbox)
  await form.fio.fill('Ким Ян Олегович')
  await form.fillFurther()
  await fillPasswords(page)
  await form.button(invitation.accept).click()
  await expect(page.getByRole('checkbox')).toHaveAccessibleDescription(errors.errorTerms)
  await expect(form.fio).toHaveValue('Ким Ян Олегович')
  await look()
  await page.getByRole('checkbox').check()
  await fillPasswords(page)
  await form.button(invitation.accept).click()
  await expect(page).toHaveURL(/\/platform\/profile$/)
  expect((await db().select().from(users).where(eq(users.email, planted.email)))[0]).toMatchObject({ mobile })
})

test('an invitation is declined after a question', { tag: '@full' }, async ({ page, database: _ }) => {
  const planted = await plantInvitation()
  await page.goto(`/platform/invitation/${planted.guid}`)
  await page.getByRole('link', { name: invitation.decline.action, exact: true }).click()
  await look()
  await page.getByRole('link', { name: ui.cancel, exact: true }).click()
  await expect(form.heading).toHaveText(invitation.title)
  await page.getByRole('link', { name: invitation.decline.action, exact: true }).click()
  await form.button(invitation.decline.confirm).click()
  await expect(form.heading).toHaveText(invitation.dead.declined.title)
  const [row] = await db().select().from(invitations).where(eq(invitations.id, planted.id))
  expect(row?.status).toBe('refusal')
})
