import { expect, type Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { links } from '@/db/schema/entry'
import { plantInvitation } from '../../../factories/companies'
import { partnersOf, person } from '../../people'
import { newEmail, newNumber, pathIn, RegistrationPage } from '../../registration-page'
import { signInAs } from '../../signed-in'
import type { Row, Rows, Visit } from '../row'

const title = (page: Page) => page.getByRole('heading', { level: 1 })
const wrong = (page: Page) => expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
const code = ({ page, t }: Visit) => page.getByLabel(t.entry.code.label, { exact: true })
const click = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).first().click()
const registration = ({ page, language }: Visit) => new RegistrationPage(page, language)

/** The account or e-mail of a visit, for its states. */
const made = new WeakMap<Page, { id: string }>()
const madeBy = ({ page }: Visit) => made.get(page)?.id ?? ''

const registrationStepOne: Row[] = [
  {
    open: (visit) => registration(visit).open(partnersOf(visit.baseURL)),
    states: {
      'nothing entered': {
        texts: true,
        reach: async (visit) => {
          await click(visit, visit.t.registration.submit)
          await wrong(visit.page)
        },
      },
      sent: async (visit) => {
        await visit.page.getByRole('checkbox').check()
        await registration(visit).ask(newEmail())
        await expect(title(visit.page)).toHaveText(visit.t.registration.sent.title)
      },
    },
  },
]

/** Returns the mobile to which a page sent its code. */
const mobiles = new WeakMap<Page, string>()

const registrationStepTwo: Row[] = [
  {
    async open(visit) {
      const email = newEmail()
      made.set(visit.page, { id: email })
      await registration(visit).open()
      await registration(visit).ask(email)
      await visit.page.goto(pathIn((await visit.outbox(email)).text))
      await expect(title(visit.page)).toHaveText(visit.t.registration.finish.mobile.title)
    },
    states: {
      'no number': async (visit) => {
        await registration(visit).button(visit.t.person.getCode).click()
        await wrong(visit.page)
      },
      'a code': {
        texts: true,
        reach: async (visit) => {
          const page = registration(visit)
          const number = newNumber()
          mobiles.set(visit.page, `+7${number}`)
          await page.mobile.fill(number)
          await page.button(visit.t.person.getCode).click()
          await expect(page.code).toBeVisible()
        },
      },
      'a mobile that is proven, and nothing entered': {
        texts: true,
        reach: async (visit) => {
          const page = registration(visit)
          await page.code.fill((await visit.outbox(mobiles.get(visit.page) ?? '')).code)
          await expect(visit.page.getByText(visit.t.person.verified)).toBeVisible()
          await page.finish()
          await wrong(visit.page)
        },
      },
      expired: {
        texts: true,
        reach: async (visit) => {
          const past = new Date(Date.now() - 1000)
          await db()
            .update(links)
            .set({ expiresAt: past })
            .where(eq(links.email, madeBy(visit)))
          await visit.page.reload()
          await expect(title(visit.page)).toHaveText(visit.t.registration.dead.expired.title)
        },
      },
    },
  },
]

const invitationOf = (visit: Visit, planted: { guid: string }, origin = '') =>
  visit.page.goto(`${origin}/platform/invitation/${planted.guid}`)

const invitation: Row[] = [
  {
    async open(visit) {
      await invitationOf(visit, await plantInvitation(), partnersOf(visit.baseURL))
      await expect(title(visit.page)).toHaveText(visit.t.invitation.title)
    },
    states: {
      'nothing entered': {
        texts: true,
        reach: async (visit) => {
          await visit.page.getByRole('link', { name: visit.t.person.skipMobile }).click()
          await click(visit, visit.t.invitation.accept)
          await wrong(visit.page)
        },
      },
      'a code': async (visit) => {
        await visit.page.getByRole('link', { name: visit.t.person.giveMobile }).click()
        await visit.page.locator('#person-mobile').fill(`+7${newNumber()}`)
        await click(visit, visit.t.person.getCode)
        await expect(code(visit)).toBeFocused()
      },
      'a question before it is declined': {
        texts: true,
        reach: async (visit) => {
          await visit.page.getByRole('link', { name: visit.t.person.change }).click()
          await visit.page.getByRole('link', { name: visit.t.invitation.decline.action, exact: true }).click()
          await expect(title(visit.page)).toContainText(visit.t.invitation.decline.title.split('{')[0] ?? '')
        },
      },
    },
  },
  {
    name: 'an e-mail with an account',
    async open(visit) {
      const user = await person(['credentials'])
      const planted = await plantInvitation({ email: user.email })
      await invitationOf(visit, planted)
      await expect(visit.page.getByText(visit.t.invitation.existing.text)).toBeVisible()
      made.set(visit.page, { id: user.login })
    },
    states: {
      'signed in': async (visit) => {
        await signInAs(visit.context, madeBy(visit), visit.language)
        await visit.page.reload()
        await expect(visit.page.getByRole('button', { name: visit.t.invitation.accept, exact: true })).toBeVisible()
      },
      'somebody else’s': {
        texts: true,
        reach: async (visit) => {
          await invitationOf(visit, await plantInvitation())
          await expect(title(visit.page)).toHaveText(visit.t.invitation.dead.active.title)
        },
      },
    },
  },
]

export const rows: Rows = {
  RegistrationStepOne: registrationStepOne,
  RegistrationStepTwo: registrationStepTwo,
  Invitation: invitation,
}
