import { expect, type Page } from '@playwright/test'
import { db } from '@/db/client'
import { notices } from '@/db/schema'
import {
  createContractor,
  createContractorRole,
  join,
  openService,
  plantInvitation,
} from '../../../factories/companies'
import { giveKey } from '../../../factories/passkey'
import { createUser } from '../../../factories/users'
import { person } from '../../people'
import { SignInPage } from '../../sign-in-page'
import { signInAs, takenOver } from '../../signed-in'
import { addProvider } from '../offered-provider'
import type { Row, Rows, State, Visit } from '../row'

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

const search: State = async ({ page, t }) => {
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: t.shell.palette.title }).getByRole('combobox')).toBeFocused()
}
const more: State = {
  texts: true,
  widths: [360, 320],
  async reach({ page, t }) {
    await page.getByRole('navigation', { name: t.shell.bottomMenu }).getByRole('button', { name: t.shell.more }).click()
    await expect(page.getByRole('dialog', { name: t.shell.more })).toBeVisible()
  },
}
const preferences: State = {
  widths: [1440, 820],
  async reach({ page, t }) {
    await page.getByRole('button', { name: t.shell.preferences, exact: true }).click()
    await expect(page.getByRole('dialog', { name: t.shell.preferences })).toBeVisible()
  },
}

const services: Row[] = [
  { as: 'employee', open: '/platform/apps', states: { 'the menu behind «Ещё»': more } },
  { texts: true, name: 'none', as: 'noServices', open: '/platform/apps' },
  { name: 'an administrator', as: 'administrator', open: '/platform/apps' },
]
const profile: Row[] = [
  { as: 'administrator', open: '/platform/profile' },
  { texts: true, name: 'empty fields', as: 'emptyFields', open: '/platform/profile' },
  { name: 'several services', as: 'employee', open: '/platform/profile' },
]
/** Opens the page without the dialog of the state before. */
const anew = async (page: Page) => {
  await page.goto('/platform/profile/personal')
  await takenOver(page)
}

/** Opens the personal data where a provider can be linked, as linking one has ended. */
const linking = (outcome: string, text: 'takenByOther' | 'linked') => async (visit: Visit) => {
  await addProvider(visit, { offered: true })
  await visit.page.goto(`/platform/profile/personal?provider=${outcome}`)
  await takenOver(visit.page)
  await expect(visit.page.getByText(visit.t['provider-sign-in'][text])).toBeVisible()
}

const personal: Row[] = [
  { name: 'an account of a provider that is taken', as: 'employee', open: linking('taken', 'takenByOther') },
  { name: 'an account of a provider linked', as: 'employee', open: linking('linked', 'linked') },
  { as: 'administrator', open: '/platform/profile/personal', states: { 'the search': { texts: true, reach: search } } },
  {
    name: 'the preferences',
    as: 'employee',
    open: '/platform/profile/personal',
    states: { 'the preferences': preferences },
  },
  {
    name: 'empty fields',
    as: 'emptyFields',
    open: '/platform/profile/personal',
    states: {
      'a block being edited': async ({ page, t }) => {
        const group = page.locator('section').filter({ has: page.locator('#position') })
        await group.getByRole('button', { name: t.ui.edit }).click()
        await expect(page.getByRole('button', { name: t.ui.save, exact: true })).toBeVisible()
      },
    },
  },
  {
    texts: true,
    name: 'a new authenticator app',
    async open({ page, language, t }) {
      const { login } = await person(['credentials'], [], { email: null, mobile: null })
      await new SignInPage(page, language).signIn(login)
      await expect(page).toHaveURL('/platform/profile')
      await anew(page)
      const { connect, next, confirm, qr } = t.account.factors
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: connect, exact: true }).click()
      await dialog.getByRole('button', { name: next }).click()
      await expect(page.getByRole('img', { name: qr })).toBeVisible()
      await dialog.getByRole('button', { name: confirm, exact: true }).click()
      await expect(dialog.getByRole('group').first()).toBeVisible()
    },
  },
  {
    name: 'passkeys',
    async open({ page, context, language, t }) {
      const { id, login } = await person(['credentials', 'passkey'])
      for (const name of ['Google Password Manager', 'Ключ безопасности в ящике стола']) await giveKey(id, { name })
      await signInAs(context, login, language)
      await page.goto('/platform/profile/personal')
      await expect(page.getByRole('heading', { name: t.account.passkeys.title })).toBeVisible()
    },
    states: {
      'a passkey being removed': async ({ page, t }) => {
        await page.getByRole('button', { name: /Google Password Manager/ }).click()
        await page.getByRole('menuitem', { name: t.account.passkeys.remove }).click()
        await expect(page.getByText(t.account.passkeys.removeText)).toBeVisible()
      },
    },
  },
  { name: 'a further tab of fields', as: 'employee', open: '/platform/profile/personal?tab=fields-users_safety' },
  {
    name: 'the own account',
    as: 'employee',
    open: '/platform/profile/personal',
    states: {
      'a new contact': async ({ page, t }) => {
        await page.getByRole('button', { name: t.account.contacts.addMobile }).click()
        await expect(page.getByLabel(t.account.contacts.value.mobile)).toBeVisible()
      },
      'a new password, refused': async ({ page, t }) => {
        await anew(page)
        const { change, actual, save } = t.account.access
        await page.getByRole('button', { name: change }).click()
        await expect(page.getByLabel(actual, { exact: true })).toBeVisible()
        await page.getByRole('button', { name: save, exact: true }).click()
        await expect(page.getByRole('dialog').getByRole('group').first()).toBeVisible()
      },
      'the code for a new authenticator app': async ({ page, t }) => {
        await anew(page)
        await page.getByRole('button', { name: t.account.factors.connect, exact: true }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel(t.account.factors.password, { exact: true }).fill('any')
        await dialog.getByRole('button', { name: t.account.code.send }).click()
        await expect(dialog.getByLabel(t.account.factors.ownCode)).toBeVisible()
      },
      'the deletion': async ({ page, t }) => {
        await anew(page)
        await page.getByRole('button', { name: t.account.deletion.open }).click()
        await expect(page.getByLabel(t.account.deletion.password, { exact: true })).toBeVisible()
      },
    },
  },
  { name: 'history', as: 'administrator', open: '/platform/profile/personal?tab=history' },
  { texts: true, name: 'access', as: 'administrator', open: '/platform/profile/personal?tab=access' },
  {
    name: 'agreements',
    as: 'administrator',
    open: '/platform/profile/personal?tab=agreements',
  },
]

/** A new account, signed in twice. */
async function signedInTwice({ context, browser, language, later, baseURL }: Visit) {
  const { login } = await person(['credentials'])
  const other = await browser.newContext({ userAgent: phone, baseURL })
  later(() => other.close())
  await signInAs(other, login, language)
  await signInAs(context, login, language)
}

const sessions: Row[] = [
  {
    async open(visit) {
      await signedInTwice(visit)
      await visit.page.goto('/platform/profile/sessions')
      await expect(visit.page.getByRole('article')).toHaveCount(2)
    },
    states: {
      'a question before one is ended': {
        texts: true,
        reach: async ({ page }) => {
          await page.getByRole('article').filter({ hasText: 'Safari 18' }).getByRole('button').click()
          await expect(page.getByRole('alertdialog')).toBeVisible()
        },
      },
    },
  },
]

/** Somebody of two companies, who manages one of them. */
async function inCompanies({ page, context, language }: Visit) {
  const { login, id } = await person(['credentials'])
  const [one, other] = [await createContractor(2), await createContractor()]
  const manager = await createContractorRole(['masterAccountAccess'])
  await openService(manager.id)
  await join(one, id, [manager.id])
  await join(other, id, [])
  await signInAs(context, login, language)
  await page.goto('/platform/profile/companies')
  await expect(page.getByRole('article')).toHaveCount(2)
}

const companies: Row[] = [
  {
    open: inCompanies,
    states: {
      requisites: async ({ page, t }) => {
        await page.getByText(t.companies.requisites, { exact: true }).first().click()
        await expect(page.getByText(t.requisites.ogrn).first()).toBeVisible()
      },
      'the question before leaving': async ({ page, t }) => {
        await page.getByRole('article').filter({ hasText: t.companies.access }).last().getByRole('button').click()
        await page.getByRole('menuitem', { name: t.companies.leave }).click()
        await expect(page.getByRole('alertdialog')).toContainText(t.companies.lastManager)
      },
    },
  },
  {
    name: 'none',
    async open({ page, context, language, t }) {
      await signInAs(context, (await person(['credentials'])).login, language)
      await page.goto('/platform/profile/companies')
      await expect(page.getByText(t.companies.empty)).toBeVisible()
    },
  },
]

const contactsPath = '/platform/profile/contacts'

/** The manager of a company, who also belongs to another one. Returns a colleague of theirs. */
async function withColleagues({ context, language }: Visit) {
  const { login, id } = await person(['credentials'])
  const [managed, other] = [await createContractor(3), await createContractor()]
  const [manager, role] = [await createContractorRole(['masterAccountAccess']), await createContractorRole()]
  await join(managed, id, [manager.id])
  await join(other, id, [])
  const colleague = await createUser({ fio: 'Волконская-Оболенская Екатерина Александровна' })
  for (const company of [managed, other]) await join(company, colleague.id, [role.id, manager.id])
  await join(managed, (await createUser({ fio: '', enabled: false })).id, [])
  await plantInvitation({ contractorId: managed.contractor.id, inviterId: id })
  await signInAs(context, login, language)
  return colleague
}

const contacts: Row[] = [
  {
    async open(visit) {
      await withColleagues(visit)
      await visit.page.goto(contactsPath)
      await expect(visit.page.locator('main').getByText(visit.t.contacts.nameless)).toBeVisible()
    },
  },
  {
    name: 'none',
    async open({ page, context, language, t }) {
      await signInAs(context, (await person(['credentials'])).login, language)
      await page.goto(contactsPath)
      await expect(page.getByText(t.contacts.emptyTitle)).toBeVisible()
    },
  },
]

const contact: Row[] = [
  {
    async open(visit) {
      const { id, fio } = await withColleagues(visit)
      await visit.page.goto(`${contactsPath}/${id}`)
      await expect(visit.page.getByRole('heading', { level: 1 })).toHaveText(fio)
    },
    states: {
      'its roles being changed': async ({ page, t }) => {
        await page.getByRole('button', { name: t.contacts.changeRoles }).click()
        await expect(page.getByRole('dialog').getByRole('button', { name: t.ui.save, exact: true })).toBeVisible()
      },
      'the question before removing': async ({ page, t }) => {
        await page.reload()
        await takenOver(page)
        const card = page.getByRole('article').filter({ has: page.getByText(t.contacts.changeRoles) })
        await card.getByRole('button').last().click()
        await page.getByRole('menuitem', { name: t.contacts.remove }).click()
        await expect(page.getByRole('alertdialog')).toContainText(t.contacts.removeKeeps)
      },
    },
  },
  {
    name: 'refused to whoever isn’t a colleague',
    as: 'employee',
    open: `${contactsPath}/00000000-0000-4000-8000-000000000000`,
    refused: true,
  },
]

const applications: Row[] = [
  {
    async open({ page, context, language, t }) {
      await signInAs(context, (await person(['credentials'])).login, language)
      await page.goto('/platform/profile/applications')
      await expect(page.getByText(t['user-applications'].empty)).toBeVisible()
    },
  },
]

const bell: State = async ({ page, t }) => {
  await page.getByRole('button', { name: t.notices.bell }).click()
  await expect(page.getByRole('dialog', { name: t.notices.title }).getByRole('listitem').first()).toBeVisible()
}

/** Notices of every kind, some of them read. */
async function withNotices({ page, context, language }: Visit) {
  const { login, id: userId } = await person(['credentials'])
  await signInAs(context, login, language)
  const device = { device: 'Safari 18, iOS 18', ip: '203.0.113.7' }
  const row = (n: number, kind: string, values: Record<string, string | number>, readAt: Date | null = null) => ({
    userId,
    kind,
    values,
    readAt,
    cause: `sweep-${n}`,
    date: new Date(Date.now() - n * 3_600_000),
  })
  await db()
    .insert(notices)
    .values([
      row(1, 'newDevice', device),
      row(2, 'sessionsEnded', { count: 3 }),
      row(3, 'passwordChanged', device, new Date()),
      row(4, 'requestDecided', { status: 'failure', company: 'ООО «Северный ветер»' }),
      row(5, 'accessRequested', { person: 'Орлов Дмитрий' }),
      row(6, 'roleGiven', { role: 'Поставщик', roleEn: 'Supplier' }),
      row(7, 'roleTaken', { role: 'Поставщик', roleEn: 'Supplier' }),
      row(8, 'accessSwitched', { of: 'role', state: 'off', name: 'Поставщик', nameEn: 'Supplier' }),
      row(9, 'companiesMerged', { company: 'ООО «Северный ветер»' }),
      row(10, 'agreementReminder', { document: 'Политика обработки данных' }),
      row(900, 'newDevice', { ...device, device: '' }, new Date()),
      // axe doesn't judge the contrast of a single digit: the badge shows two
      ...Array.from({ length: 10 }, (_, n) => row(48 + n, 'newDevice', device)),
    ])
  await page.goto('/platform/notify')
  await expect(page.locator('main').getByRole('listitem').first()).toBeVisible()
}

const notify: Row[] = [
  { open: withNotices, states: { 'the bell': { texts: true, reach: bell } } },
  {
    name: 'none',
    async open({ page, context, language, t }) {
      await signInAs(context, (await person(['credentials'])).login, language)
      await page.goto('/platform/notify')
      await expect(page.getByText(t.notices.empty)).toBeVisible()
    },
  },
]
const subscribes: Row[] = [
  {
    async open({ page, context, language, t }) {
      await signInAs(context, (await person(['credentials'], [], { mobile: null })).login, language)
      await page.goto('/platform/profile/subscribes')
      await expect(page.getByText(t.subscriptions.lead)).toBeVisible()
    },
    states: {
      'being edited without a mobile': async ({ page, t }) => {
        const { events } = t.subscriptions.groups
        await page.getByRole('button', { name: `${t.ui.edit}: ${events}` }).click()
        await expect(page.getByText(t.subscriptions.noContact.sms)).toBeVisible()
      },
    },
  },
]

const passkeyOffer: Row[] = [
  {
    async open({ page, context, language, t }) {
      await signInAs(context, (await person(['credentials', 'passkey'])).login, language)
      await page.goto('/platform/profile/passkey')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(t.account.passkeys.offer)
    },
    states: {
      'the passkey': async ({ page, t }) => {
        await page.getByRole('button', { name: t.account.passkeys.create }).click()
        await expect(page.getByRole('dialog')).toContainText(t.account.factors.proofText)
      },
    },
  },
]

export const rows: Rows = {
  switchService: services,
  UserProfile: profile,
  UserProfileMain: personal,
  PasskeyOffer: passkeyOffer,
  UserProfileCompanies: companies,
  UserProfileContacts: contacts,
  UserProfileContact: contact,
  UserProfileSessions: sessions,
  UserProfileApplications: applications,
  Notify: notify,
  UserProfileSubscribes: subscribes,
}
