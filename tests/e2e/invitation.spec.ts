import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { invitations } from '@/db/schema/entry'
import { userContractorRoles, users } from '@/db/schema/people'
import { redis, redisReady } from '@/lib/base/redis/redis'
import { plantInvitation } from '../factories/companies'
import { createUser } from '../factories/users'
import { expect, test } from './fixtures'
import { partnersOf, person, speak } from './people'
import { password, SignInPage } from './sign-in-page'
import { asPerson } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
type Planted = Awaited<ReturnType<typeof plantInvitation>>
const filled = (text: string, values: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
const wrong = (code: string) => code.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))
let mobiles = 9_250_000_000 + Math.floor(Math.random() * 1_000_000)
const newMobile = () => `+7${++mobiles}`
const pathOf = ({ guid }: { guid: string }) => `/platform/invitation/${guid}`
const statusOf = async ({ id }: Planted) =>
  (await db().select().from(invitations).where(eq(invitations.id, id)))[0]?.status

/** The page as a person uses it. */
class InvitationPage {
  readonly t = words
  constructor(readonly page: Page) {}
  get heading() {
    return this.page.getByRole('heading', { level: 1 })
  }
  get mobile() {
    return this.page.locator('#person-mobile')
  }
  get code() {
    return this.page.getByLabel(this.t.entry.code.label, { exact: true })
  }
  button(name: string) {
    return this.page.getByRole('button', { name, exact: true })
  }
  async open(planted: { guid: string }, origin = '') {
    await this.page.goto(origin + pathOf(planted))
  }
  async askForCode(mobile: string) {
    await this.mobile.fill(mobile)
    await this.button(this.t.person.getCode).click()
  }
  async fillIn(name = 'Ким Ян Олегович') {
    await this.page.locator('#person-fio').fill(name)
    // the demo's administrators require it
    await this.page.locator('[name="additionalInfo.position"]').fill('Инженер')
    await this.button(this.t.entry.password.generate).click()
  }
  accept() {
    return this.button(this.t.invitation.accept).click()
  }
  link(name: string) {
    return this.page.getByRole('link', { name, exact: true })
  }
  /** Goes to the question whether to decline; returns its answer. */
  async askToDecline() {
    await this.link(this.t.invitation.decline.action).click()
    return this.button(this.t.invitation.decline.confirm)
  }
  /** The heading of a dead link, which tells why it is dead. */
  async expectDead(kind: keyof (typeof words)['invitation']['dead'] & string, planted?: Planted) {
    const words = this.t.invitation.dead[kind as 'expired']
    await expect(this.heading).toHaveText(words.title)
    if (!planted) return
    const values = { inviter: 'Северный Юрий Львович', company: planted.contractor.name, email: planted.email }
    await expect(this.page.getByText(filled(words.text, values))).toBeVisible()
  }
}

let form: InvitationPage

test.beforeEach(async ({ page, context, baseURL }) => {
  await speak(context, language, baseURL)
  form = new InvitationPage(page)
})

test('a new person: mail scanners do no harm, each step says what is missing, and accepting signs in', async ({
  page,
  baseURL,
  outbox,
  database: _,
}) => {
  const { t } = form
  const planted = await plantInvitation()
  const origin = partnersOf(baseURL)
  for (let n = 0; n < 3; n++) {
    expect((await page.request.get(pathOf(planted))).status()).toBe(200)
    expect((await page.request.get(`/api/v1/platform/invitation/${planted.guid}`)).status()).toBe(200)
  }
  await form.open(planted, origin)
  await expect(page).toHaveTitle(new RegExp(`^${t.shell.screens.Invitation} — `))
  await expect(form.heading).toHaveText(t.invitation.title)
  const { contractor, organization, role, inviter, email } = planted
  await expect(
    page.getByText(filled(t.invitation.lead, { inviter: inviter.fio, company: contractor.name })),
  ).toBeVisible()
  await expect(
    page.getByText(
      filled(t.invitation.facts.rolesIn, {
        organization: (language === 'ru' ? organization.name : organization.nameEn) ?? '',
      }),
    ),
  ).toBeVisible()
  await expect(page.getByText((language === 'ru' ? role.name : role.nameEn) ?? '', { exact: true })).toBeVisible()

  await page.getByRole('link', { name: t.person.skipMobile }).click()
  await form.accept()
  const summary = page.getByRole('group', { name: t.errors.errorFields })
  await expect(summary).toBeFocused()
  expect(await summary.getByRole('link').count()).toBe(5)
  await summary.getByRole('link').first().click()
  await expect(page.locator('#person-fio')).toBeFocused()
  // what is corrected is no longer reported
  await page.keyboard.type('К')
  expect(await summary.getByRole('link').count()).toBe(4)

  await form.link(t.person.giveMobile).click()
  const mobile = newMobile()
  await form.askForCode(mobile)
  await expect(form.code).toBeFocused()
  await expect(page.getByText(t.entry.code.resendIn)).toBeVisible()
  const { code } = await outbox(mobile)
  await page.reload()
  await form.code.pressSequentially(code)
  await expect(page.getByText(t.person.verified)).toBeVisible()
  await form.fillIn()
  await form.accept()
  await expect(page.getByRole('checkbox')).toHaveAccessibleDescription(t.errors.errorTerms)
  await expect(page.locator('#person-fio')).toHaveValue('Ким Ян Олегович')
  await page.getByRole('checkbox').check()
  await form.fillIn()
  await form.accept()
  await expect(page).toHaveURL(/\/platform\/profile$/)
  const [account] = await db().select().from(users).where(eq(users.email, email))
  expect(account).toMatchObject({ mobile, lastName: language === 'ru' ? 'Ким' : 'Олегович' })
  expect(await db().$count(userContractorRoles, eq(userContractorRoles.userId, account?.id ?? ''))).toBe(1)
  await outbox(inviter.email)
  await form.open(planted, origin)
  await form.expectDead('accepted', planted)
  await page.getByRole('link', { name: t.invitation.dead.toProfile }).click()
  await expect(page).toHaveURL(/\/platform\/profile$/)
})

test('a person with an account signs in, comes back and accepts; another invitation is declined after a confirmation', async ({
  page,
  database: _,
}) => {
  const { t } = form
  const user = await person(['credentials'])
  const [first, second] = [await plantInvitation({ email: user.email }), await plantInvitation({ email: user.email })]
  await form.open(first)
  await expect(page.getByText(t.invitation.existing.text)).toBeVisible()
  await page.getByRole('link', { name: t.invitation.existing.signIn }).click()
  const signIn = new SignInPage(page, language)
  await signIn.enterIdentifier(user.login)
  await signIn.enterPassword(password)
  await expect(page).toHaveURL(pathOf(first))
  await expect(page.getByText(filled(t.invitation.signedInAs, { login: user.login }))).toBeVisible()
  await form.accept()
  await expect(page).toHaveURL('/platform/profile')
  expect(await statusOf(first)).toBe('success')

  await form.open(second)
  await form.askToDecline()
  await expect(form.heading).toHaveText(filled(t.invitation.decline.title, { company: second.contractor.name }))
  await expect(page.getByText(filled(t.invitation.decline.text, { inviter: second.inviter.fio }))).toBeVisible()
  await form.link(t.ui.cancel).click()
  await expect(form.heading).toHaveText(t.invitation.title)
  expect(await statusOf(second)).toBe('active')
  await (await form.askToDecline()).click()
  await form.expectDead('declined', second)
  expect(await statusOf(second)).toBe('refusal')
})

test('with two tabs, or when somebody else is signed in, the page tells what happened and what to do', {
  tag: '@full',
}, async ({ page, context, database: _ }) => {
  const { t } = form
  const planted = await plantInvitation()
  await form.open(planted)
  const other = new InvitationPage(await context.newPage())
  await other.open(planted)
  await (await other.askToDecline()).click()
  await other.expectDead('declined')
  await form.askForCode(newMobile())
  await form.expectDead('declined', planted)

  const open = await plantInvitation()
  await form.open(open)
  const decline = await form.askToDecline()
  await expect(decline).toBeVisible()
  await asPerson(context, (await createUser()).login, language)
  await decline.click()
  await form.expectDead('active', open)
  expect(await statusOf(open)).toBe('active')
  await form.open(open)
  await form.expectDead('active', open)
  await form.button(t.invitation.dead.signOut).click()
  await expect(page).toHaveURL(pathOf(open))
  await expect(form.heading).toHaveText(t.invitation.title)
})

test('wrong, late and too many codes, a mobile in use, different passwords and a refusal each show their error', {
  tag: '@full',
}, async ({ page, outbox, database: _ }) => {
  test.skip(process.env.REDIS_URL === 'mock:', 'an imitation of Redis inside the server is out of reach')
  const { t } = form
  const planted = await plantInvitation()
  await redisReady()
  const key = `code:invitation:${planted.id}`
  const namesake = await person(['credentials'])
  await form.open(planted)
  await form.askForCode(namesake.mobile)
  const { code } = await outbox(namesake.mobile)
  await form.code.pressSequentially(wrong(code))
  await expect(form.code).toHaveAccessibleDescription(t.errors.errorCode)
  await expect(form.code).toHaveValue('')
  await form.code.pressSequentially(code)
  await expect(page.getByText(t.errors.errorMobileRegistered)).toBeVisible()

  await form.link(t.person.otherMobile).click()
  const mobile = newMobile()
  await form.askForCode(mobile)
  const second = await outbox(mobile)
  await redis().hset(key, 'left', 1)
  await form.code.pressSequentially(wrong(second.code))
  await expect(page.getByText(t.errors.errorCodeAttempts).last()).toBeVisible()
  await expect(form.code).toBeHidden()
  await form.link(t.person.change).click()
  const late = newMobile()
  await form.askForCode(late)
  const lateCode = (await outbox(late)).code
  await redis().del(key)
  await form.code.pressSequentially(lateCode)
  await expect(page.getByText(t.errors.errorCodeExpired).last()).toBeVisible()

  await form.link(t.person.change).click()
  const third = newMobile()
  await form.askForCode(third)
  await form.code.pressSequentially((await outbox(third)).code)
  await expect(page.getByText(t.person.verified)).toBeVisible()
  await form.fillIn()
  const repeat = page.getByLabel(t.entry.password.repeat, { exact: true })
  await repeat.fill('another')
  await form.accept()
  await expect(repeat).toHaveAccessibleDescription(t.errors.errorMatch)
  await form.fillIn()

  await redis().set(`limit:invitation-accept:0:${planted.id}`, 100, 'EX', 3600)
  await form.accept()
  await expect(page.getByText(t.invitation.acceptFailed)).toBeVisible()
  await expect(page.getByRole('group', { name: t.entry.wait.title })).toBeFocused()
  await redis().del(`limit:invitation-accept:0:${planted.id}`)
  await form.fillIn()
  await form.accept()
  await expect(page).toHaveURL('/platform/profile')
})
