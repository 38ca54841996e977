import { randomUUID } from 'node:crypto'
import { eq, like } from 'drizzle-orm'
import { createTranslator } from 'next-intl'
import { db } from '@/db/client'
import { contractorOrganizations, contractors, userContractors } from '@/db/schema/people'
import { organizationIds } from '@/db/seed/demo/companies'
import { createRoleWith } from '../factories/access'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn, asPerson, pressCreate } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { contractors: t, requisites, ui, errors, snackbar } = words
const say = createTranslator({ locale: language, messages: words, namespace: 'contractors' })
const path = '/platform/setting/contractors'
const prefix = 'E2E contractor '
const called = (text: string, name: string) => text.replace('{name}', name)

/** Two companies that are one: the second has a person and an okpo. */
async function seed() {
  const name = `${prefix}${randomUUID()}`
  const [target, source] = await db()
    .insert(contractors)
    .values([{ name: `${name} один` }, { name: `${name} два`, okpo: '00032537' }])
    .returning()
  if (!target || !source) throw new Error('nothing was made')
  const { id: userId } = await createUser()
  await db().insert(userContractors).values({ userId, contractorId: source.id })
  return { target, source }
}
const forget = () =>
  db()
    .delete(contractors)
    .where(like(contractors.name, `${prefix}%`))
test.beforeEach(async ({ database: _ }) => void (await forget()))
test.afterEach(async () => void (await forget()))

test('doubles are merged: the card leads to them, says what moves, and what stays is chosen', async ({
  page,
  context,
}) => {
  const { target, source } = await seed()
  await asOwn(context, 'administrator', language)
  await page.goto(`${path}/${target.id}`)
  await page.getByRole('link', { name: t.similarShow }).click()
  await expect(page.getByRole('link', { name: source.name })).toBeVisible()
  // the filter says whose doubles these are, and has a way out
  const filter = `${t.similarFilter}: ${target.name}`
  await expect(page.getByText(filter)).toBeVisible()
  await page.getByRole('link', { name: ui.list.removeFilter.replace('{label}: {value}', filter) }).click()
  await expect(page).not.toHaveURL(/similarTo/)
  await page.goto(`${path}/${target.id}`)
  await page.getByRole('button', { name: t.merge }).click()
  const dialog = page.getByRole('dialog', { name: called(t.mergeTitle, target.name) })
  await dialog.getByRole('button', { name: t.mergeSources }).click()
  await page.getByRole('option', { name: source.name }).click()
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('status')).toContainText(say('mergePeople', { count: 1 }))
  await dialog.getByRole('radio', { name: source.name }).check()
  await dialog.getByRole('button', { name: t.mergeVerb, exact: true }).click()
  await expect(page.getByText(snackbar.contractorMerge)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(source.name)
  await expect(page.getByRole('main')).toContainText('00032537')
  await page.goto(`${path}/${source.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(words['not-found'].card.title)
  await page.getByRole('link', { name: words['not-found'].card.action }).click()
  await expect(page).toHaveURL(path)
})

test('a contractor with people isn’t deleted, nor made with a wrong inn', { tag: '@full' }, async ({
  page,
  context,
  browser,
}) => {
  const { source } = await seed()
  // columns are kept with the account, so the test has its own
  const { login } = await createUser({ roles: ['user', await createRoleWith(['contractors.write'])] })
  await asPerson(context, login, language)
  const searchAddress = `${path}?filter[search]=${encodeURIComponent(source.name)}`
  await page.goto(searchAddress)
  const row = page.getByRole('row', { name: source.name })
  // a column that is hidden by default comes by choice, and stays chosen
  await page.getByRole('button', { name: ui.list.columns }).click()
  await page.getByRole('menuitemcheckbox', { name: requisites.okpo }).click()
  await expect(row).toContainText('00032537')
  // on another device the server sends the list with the chosen columns, before any script
  const other = await browser.newContext()
  await asPerson(other, login, language)
  await expect
    .poll(async () => (await other.request.get(`${process.env.PUBLIC_URL}${searchAddress}`)).text())
    .toContain('00032537')
  await other.close()
  await page.keyboard.press('Escape')
  await row.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: ui.delete }).click()
  const keepDialog = page.getByRole('dialog', { name: called(t.keepTitle, source.name) })
  await expect(keepDialog).toContainText(say('keepPeople', { count: 1 }))
  await keepDialog.getByRole('button', { name: ui.close }).last().click()
  await pressCreate(page, t.create)
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  const inn = dialog.getByLabel(requisites.inn, { exact: true })
  await inn.fill('7707083890')
  await expect(dialog).toContainText(requisites.warningInn.slice(0, 16))
  await inn.fill('770')
  await dialog.getByLabel(t.name, { exact: true }).fill(`${prefix}новый`)
  // organizations are found on the server as one types, and the chosen one stays
  await dialog.getByLabel(t.organizations).click()
  const organization = language === 'ru' ? 'Полярис' : 'Polaris'
  await page.getByRole('combobox').last().fill(organization.slice(0, 4))
  await page.getByRole('option', { name: organization }).first().click()
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('listitem').filter({ hasText: organization })).toBeVisible()
  await dialog.getByRole('button', { name: ui.create, exact: true }).click()
  await expect(inn).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog).toContainText(errors.errorInn)
})

test('a conflict names the organizations that somebody else chose', { tag: '@full' }, async ({ page, context }) => {
  const { target } = await seed()
  const { login } = await createUser({ roles: ['user', await createRoleWith(['contractors.write'])] })
  await asPerson(context, login, language)
  await page.goto(`${path}?filter[search]=${encodeURIComponent(target.name)}`)
  await page.getByRole('row', { name: target.name }).getByRole('button').last().click()
  await page.getByRole('menuitem', { name: ui.edit }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel(t.name, { exact: true })).toHaveValue(target.name)
  await db()
    .insert(contractorOrganizations)
    .values({ contractorId: target.id, organizationId: organizationIds.polaris })
  await db()
    .update(contractors)
    .set({ name: `${target.name}!` })
    .where(eq(contractors.id, target.id))
  await dialog.getByRole('button', { name: ui.save, exact: true }).click()
  const panel = dialog.getByRole('group', { name: ui.conflict.label })
  const polaris = language === 'ru' ? 'Полярис' : 'Polaris'
  await expect(panel.getByRole('group', { name: t.organizations })).toContainText(polaris)
  await expect(dialog.getByRole('listitem').filter({ hasText: polaris })).toBeVisible()
  await expect(dialog).not.toContainText(organizationIds.polaris)
})
