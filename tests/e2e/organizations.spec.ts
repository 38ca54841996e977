import { eq, inArray } from 'drizzle-orm'
import { db } from '@/db/client'
import { organizations, userRoles } from '@/db/schema/people'
import { createRoleWith } from '../factories/access'
import { holdInOrganization } from '../factories/roles-held'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { person } from './people'
import { asOwn, asPerson, pressCreate } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { organizations: t, requisites, shell, ui, errors, snackbar, history } = words
const path = '/platform/setting/organizations'
const called = (text: string, name: string) => text.replace('{name}', name)

const forget = () =>
  db()
    .delete(organizations)
    .where(inArray(organizations.code, ['e2e-horns', 'e2e-hoofs', 'e2e-hooves']))
test.beforeEach(async ({ database: _ }) => void (await forget()))
test.afterEach(async () => void (await forget()))

test('an organization is created, changed and deleted', async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  const name = 'E2E Horns'
  await pressCreate(page, t.create)
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  await dialog.getByLabel(t.name, { exact: true }).fill(name)
  await dialog.getByLabel(requisites.inn, { exact: true }).fill('7707 083')
  await dialog.getByRole('button', { name: ui.create, exact: true }).click()
  await expect(dialog.getByText(errors.errorInn).first()).toBeVisible()
  // wrong control digits are only warned about
  await dialog.getByLabel(requisites.inn, { exact: true }).fill('7707 083 894')
  await expect(dialog.getByText(requisites.warningInn)).toBeVisible()
  await dialog.getByRole('button', { name: ui.create, exact: true }).click()
  await expect(page.getByText(snackbar.organizationCreate)).toBeVisible()

  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(`^${name} · ${shell.screens.PlatformOrganizations} — `))
  await expect(page.getByRole('navigation', { name: ui.breadcrumbs }).getByText(name)).toHaveAttribute(
    'aria-current',
    'page',
  )
  await expect(page.getByText('e2e-horns').first()).toBeVisible()
  await expect(page.getByText(requisites.suspicious)).toBeVisible()
  await page.getByRole('button', { name: `${ui.edit}: ${requisites.title}` }).click()
  await page.getByLabel(requisites.inn, { exact: true }).fill('7707083893')
  await page.getByRole('button', { name: ui.save, exact: true }).click()
  await expect(page.getByText(snackbar.organizationUpdate)).toBeVisible()
  await expect(page.getByText(requisites.suspicious)).toHaveCount(0)

  await page.goto(`${path}?filter[search]=e2e-horns`)
  await page.getByRole('row').filter({ hasText: name }).getByRole('button').click()
  await page.getByRole('menuitem', { name: ui.delete }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: ui.delete }).click()
  await expect(page.getByText(snackbar.organizationDelete)).toBeVisible()
})

test('an organization is disabled and enabled, and its card has who holds roles in it and its history', {
  tag: '@full',
}, async ({ page, context, baseURL }) => {
  await asOwn(context, 'administrator', language)
  const name = 'E2E Hoofs'
  const data = { name, inn: '7707083893' }
  const made = await context.request.post('/api/v1/platform/setting/organizations', {
    data,
    headers: { origin: baseURL ?? '' },
  })
  const { id } = await made.json()
  const { userId } = await holdInOrganization(id)
  await page.goto(`${path}/${id}`)
  await page.getByRole('main').getByRole('button', { name: ui.disable, exact: true }).click()
  const ask = page.getByRole('alertdialog', { name: called(t.disableTitle, name) })
  await expect(ask).toContainText(language === 'ru' ? 'Роли здесь есть у 1 человека.' : '1 person has roles here.')
  await ask.getByRole('button', { name: ui.disable, exact: true }).click()
  await expect(page.getByRole('main').getByText(t.off, { exact: true })).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: ui.enable, exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: ui.enable, exact: true }).click()
  await expect(page.getByRole('main').getByText(t.on, { exact: true })).toBeVisible()

  await page.getByRole('navigation', { name: ui.card.tabs }).getByRole('link', { name: t.tabs.roles }).click()
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(2)
  await page.getByRole('navigation', { name: ui.card.tabs }).getByRole('link', { name: t.tabs.history }).click()
  await expect(page.getByRole('main').getByText(requisites.inn).first()).toBeVisible()
  const { view } = history
  const filterBy = async (text: string, option: RegExp) => {
    await page.getByRole('button', { name: ui.list.addFilter, exact: true }).click()
    await page.getByRole('button', { name: view.who, exact: true }).click()
    await page.getByRole('combobox').fill(text)
    await page.getByRole('option', { name: option }).click()
  }
  const noneOf = page.getByText(ui.list.noneTitle)
  await filterBy(view.platform.slice(0, 4), new RegExp(view.platform))
  await expect(noneOf).toBeVisible()
  await page.getByRole('link', { name: ui.list.noneReset, exact: true }).click()
  // the list that comes closes a menu that was opened before
  await expect(noneOf).toBeHidden()
  await filterBy('', new RegExp(`^(?!${view.platform}).`))
  await expect(page).toHaveURL(/changer/)
  await expect(page.getByRole('main').getByText(requisites.inn).first()).toBeVisible()
  await db().delete(userRoles).where(eq(userRoles.userId, userId))
})

test('who lacks the rights that are held in an organization can’t switch it', {
  tag: '@full',
}, async ({ page, context }) => {
  const role = await createRoleWith(['organizations.write'])
  const { login } = await person(['credentials'], [], { roles: ['user', role] })
  const [made] = await db().insert(organizations).values({ name: 'E2E Hooves', code: 'e2e-hooves' }).returning()
  const { userId } = await holdInOrganization(made?.id ?? '', ['users.write'])
  await asPerson(context, login, language)
  await page.goto(`${path}/${made?.id}`)
  await page.getByRole('main').getByRole('button', { name: ui.disable, exact: true }).click()
  const ask = page.getByRole('alertdialog')
  await ask.getByRole('button', { name: ui.disable, exact: true }).click()
  await expect(ask.getByText(errors.forbiddenOrganization)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('main').getByText(t.on, { exact: true })).toBeVisible()

  // nor can it be deleted while somebody holds a role in it
  await page.goto(`${path}?filter[search]=e2e-hooves`)
  await page.getByRole('row').filter({ hasText: 'E2E Hooves' }).getByRole('button').click()
  await page.getByRole('menuitem', { name: ui.delete }).click()
  const dialog = page.getByRole('dialog', { name: called(t.keepTitle, 'E2E Hooves') })
  await expect(dialog).toContainText(called(t.usedBy.people, '').replace('{amount}', '1'))
  await db().delete(userRoles).where(eq(userRoles.userId, userId))
})
