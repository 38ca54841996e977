import { expect, type Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { links } from '@/db/schema/entry'
import { countDaily } from '@/lib/sign-in/codes/daily-limit'
import { definitions } from '@/lib/site/settings/definitions'
import { giveApp } from '../../../factories/authenticator'
import { linkIn, passResend } from '../../../factories/recovery'
import { partnersOf, person } from '../../people'
import { newEmail } from '../../registration-page'
import { SignInPage, unknownIdentifier } from '../../sign-in-page'
import { signInAs } from '../../signed-in'
import { addProvider } from '../offered-provider'
import type { Row, Rows, Visit } from '../row'

const title = (page: Page) => page.getByRole('heading', { level: 1 })
const wrong = (page: Page) => expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
const code = ({ page, t }: Visit) => page.getByLabel(t.entry.code.label, { exact: true })
const click = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).first().click()
const form = ({ page, language }: Visit) => new SignInPage(page, language)

/** Opens the step of a code. */
async function arriveAtCode(visit: Visit, login: string) {
  await form(visit).open()
  await form(visit).enterIdentifier(login)
}

async function cancelLinks(userId: string) {
  await db().update(links).set({ canceledAt: new Date() }).where(eq(links.userId, userId))
}

/** The account or e-mail of a visit, for its states. */
const made = new WeakMap<Page, { id: string }>()
const madeBy = ({ page }: Visit) => made.get(page)?.id ?? ''

/** Opens the sign-in page as a provider sends somebody back to it, and where it is offered. */
const sentBack = (reason: 'taken' | 'down') => async (visit: Visit) => {
  await addProvider(visit, { offered: true })
  await visit.page.goto(`/platform/login?refused=${reason}`)
  await expect(visit.page.getByText(visit.t['provider-sign-in'].refusals[reason])).toBeVisible()
}

const signIn: Row[] = [
  { name: 'refused by a provider', open: sentBack('taken') },
  { texts: true, name: 'with a provider that doesn’t answer', open: sentBack('down') },
  {
    open: '/platform/login',
    states: {
      'nothing entered': async (visit) => {
        await click(visit, visit.t.common.continue)
        await wrong(visit.page)
      },
      'a wrong password for a long e-mail': {
        texts: true,
        reach: async (visit) => {
          const begin = `very.long.sweep.${visit.language}.${Date.now()}`
          const end = '@a-company-with-a-long-name.example'
          await form(visit).enterIdentifier(await unknownIdentifier(visit.request, begin, end))
          await form(visit).enterPassword('wrong')
          await wrong(visit.page)
        },
      },
    },
  },
  {
    name: 'a remembered account',
    async open({ page, context, baseURL, later }) {
      const value = encodeURIComponent('very.long.name.of.somebody@a-company-with-a-long-name.example')
      await context.addCookies([{ name: 'account', value, url: baseURL }])
      later(() => context.clearCookies({ name: 'account' }))
      await page.goto('/platform/login')
    },
  },
  {
    texts: true,
    name: 'an authenticator app that is set up',
    async open(visit) {
      const { login } = await person(['credentials'], ['totp'], { email: null, mobile: null })
      await form(visit).signIn(login)
      await expect(title(visit.page)).toHaveText(visit.t.entry.totp.setUp.title)
    },
  },
  {
    name: 'the code of an authenticator app',
    async open(visit) {
      const { id, login } = await person(['credentials'], ['totp'])
      await giveApp(id)
      await form(visit).signIn(login)
      await expect(title(visit.page)).toHaveText(visit.t.entry.totp.title)
    },
    states: {
      'a wrong recovery code': async ({ page, t }) => {
        await page.getByText(t.entry.totp.recovery).click()
        await page.getByLabel(t.entry.totp.recoveryLabel, { exact: true }).fill('aaaaa-bbbbb')
        await page.getByRole('button', { name: t.entry.totp.recoverySend }).click()
        await wrong(page)
      },
    },
  },
  {
    texts: true,
    name: 'a passkey',
    async open(visit) {
      const { login } = await person(['passkey', 'credentials'])
      await form(visit).open()
      await form(visit).enterIdentifier(login)
      await expect(title(visit.page)).toHaveText(visit.t.entry.passkey.title)
    },
  },
  {
    texts: true,
    name: 'a code',
    async open(visit) {
      const { login } = await person(['email_code', 'sms_code', 'credentials'])
      await arriveAtCode(visit, login)
      await expect(visit.page.getByText(visit.t.entry.code.resendIn)).toBeVisible()
    },
    states: {
      'a wrong code': async (visit) => {
        await code(visit).fill('0000')
        await wrong(visit.page)
      },
    },
  },
  {
    name: 'the daily limit of codes',
    async open(visit) {
      const { login } = await person(['email_code', 'credentials'])
      const limit = definitions.authCodeDailyLimit.default
      for (let n = 0; n < limit; n++)
        await db().transaction((tx) => countDaily(tx, 'code-asked', `email_code login ${login}`, limit, new Date()))
      await arriveAtCode(visit, login)
      await expect(form(visit).summary(visit.t.entry.code.dailyLimit.title)).toBeVisible()
    },
  },
  {
    name: 'terms',
    async open(visit) {
      const { login } = await person(['credentials'])
      await visit.page.goto(`${partnersOf(visit.baseURL)}/platform/login`)
      await form(visit).enterIdentifier(login)
      await form(visit).enterPassword()
      await expect(title(visit.page)).toHaveText(visit.t.entry.terms.title)
    },
    states: {
      'without the tick': async (visit) => {
        await click(visit, visit.t.entry.terms.accept)
        await wrong(visit.page)
      },
    },
  },
]

const setPassword: Row[] = [
  {
    async open(visit) {
      const user = await person(['credentials'], [], { passwordChangeRequired: true })
      made.set(visit.page, user)
      await form(visit).signIn(user.login)
      await expect(title(visit.page)).toHaveText(visit.t.entry.password.title)
    },
    states: {
      'two passwords': async (visit) => {
        await click(visit, visit.t.entry.password.generate)
        await visit.page.getByLabel(visit.t.entry.password.repeat, { exact: true }).fill('x')
        await click(visit, visit.t.entry.password.save)
        await wrong(visit.page)
      },
      canceled: {
        texts: true,
        reach: async (visit) => {
          await cancelLinks(madeBy(visit))
          await visit.page.reload()
          await expect(title(visit.page)).toHaveText(visit.t.entry.password.dead.canceledError.title)
        },
      },
    },
  },
]

const forgotPassword: Row[] = [
  {
    open: '/platform/forgot-password',
    states: {
      'nothing entered': async (visit) => {
        await click(visit, visit.t.recovery.forgot.send)
        await wrong(visit.page)
      },
      sent: {
        texts: true,
        reach: async (visit) => {
          const { forgot } = visit.t.recovery
          await visit.page.getByLabel(forgot.email, { exact: true }).fill(newEmail())
          await click(visit, forgot.send)
          await expect(title(visit.page)).toHaveText(forgot.sent.title)
          await visit.page.getByText(forgot.sent.notReceived).click()
        },
      },
    },
  },
]

const newPassword: Row[] = [
  {
    async open(visit) {
      const user = await person(['credentials'])
      made.set(visit.page, user)
      await passResend()
      const headers = { origin: visit.baseURL }
      const data = { email: user.email }
      const asked = await visit.context.request.post('/api/v1/platform/password/link', { data, headers })
      expect(asked.status(), await asked.text()).toBe(200)
      await visit.page.goto(`/platform/new-password/${linkIn((await visit.outbox(user.email)).text).id}`)
      await expect(title(visit.page)).toHaveText(visit.t.recovery.set.title)
    },
    states: {
      'a password that leaked': async (visit) => {
        for (const label of [visit.t.entry.password.password, visit.t.entry.password.repeat])
          await visit.page.getByLabel(label, { exact: true }).fill('Password-1')
        await click(visit, visit.t.recovery.set.save)
        await wrong(visit.page)
      },
      canceled: async (visit) => {
        await cancelLinks(madeBy(visit))
        await visit.page.reload()
        await expect(title(visit.page)).toHaveText(visit.t.recovery.set.dead.canceledError.title)
      },
    },
  },
]

const unknown = (page: string) => `/platform/${page}/${crypto.randomUUID()}`
const leadsTo = (page: string, link: 'recovery' | 'firstEntry') => async (visit: Visit) => {
  await visit.page.goto(unknown(page))
  await expect(title(visit.page)).toHaveText(visit.t['unknown-link'][link].title)
}
const notFound: Row[] = [
  { open: '/platform/404' },
  {
    name: 'an unknown link',
    open: async (visit) => {
      await visit.page.goto(unknown('registration'))
      await expect(title(visit.page)).toHaveText(visit.t['unknown-link'].registration.title)
    },
    states: {
      'for a new password': { texts: true, reach: leadsTo('new-password', 'recovery') },
      'for a first entry': leadsTo('login/password', 'firstEntry'),
    },
  },
]

/** Opens the address in the mail about a second sign-in. */
async function newDevice(visit: Visit) {
  const user = await person(['credentials'])
  for (const _ of ['at home', 'elsewhere']) {
    const context = await visit.browser.newContext({ baseURL: visit.baseURL })
    await signInAs(context, user.login)
    await context.close()
  }
  const { text } = await visit.outbox(user.email ?? '')
  await visit.page.goto(/\/platform\/login\/device\/\S+/.exec(text)?.[0] ?? '')
  await expect(title(visit.page)).toHaveText(visit.t['sign-in-report'].title)
  made.set(visit.page, { id: user.id })
}

const signInReport: Row[] = [
  {
    open: newDevice,
    states: {
      'an expired link': async (visit) => {
        const expiresAt = new Date(Date.now() - 1000)
        await db()
          .update(links)
          .set({ expiresAt })
          .where(eq(links.userId, madeBy(visit)))
        await visit.page.reload()
        await expect(title(visit.page)).toHaveText(visit.t['sign-in-report'].dead.expired.title)
      },
    },
  },
]

/** Opens a page of the partners’ domain, which asks for an agreement, in a session that hasn’t given it. */
async function asked(visit: Visit) {
  const user = await person(['credentials'])
  await signInAs(visit.context, user.login, visit.language)
  const url = partnersOf(visit.baseURL)
  const given = await visit.context.cookies(visit.baseURL)
  await visit.context.addCookies(given.map(({ name, value, httpOnly }) => ({ name, value, httpOnly, url })))
  await visit.page.goto(`${url}/platform/profile`)
  await expect(title(visit.page)).toHaveText(visit.t.agreements.title)
}

const agreementsAsked: Row[] = [{ texts: true, open: asked }]

export const rows: Rows = {
  AgreementsAsked: agreementsAsked,
  SignInReport: signInReport,
  NotFound: notFound,
  Auth: signIn,
  SetPassword: setPassword,
  ForgotPassword: forgotPassword,
  NewPassword: newPassword,
}
