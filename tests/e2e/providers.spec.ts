import { randomUUID } from 'node:crypto'
import { eq, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { providers, users } from '@/db/schema/people'
import { providerFor } from '../factories/directory'
import { directoryPerson, startKeycloak } from '../factories/keycloak'
import { createProvider } from '../factories/recovery'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { providers: t, 'provider-mappers': mappers, 'provider-sync': sync, ui, runs, errors } = words
const path = '/platform/setting/providers'
const prefix = 'E2E directory '

test.afterEach(async ({ database: _ }) => {
  const ownProviders = await db()
    .select({ id: providers.id })
    .from(providers)
    .where(like(providers.name, `${prefix}%`))
  for (const { id } of ownProviders) {
    await db().delete(users).where(eq(users.providerId, id))
    await db().delete(providers).where(eq(providers.id, id))
  }
})

test('a directory is added, checked, mapped and synchronized; who can’t be written is named', async ({
  page,
  context,
}) => {
  const keycloak = await startKeycloak()
  // a login could be made from an e-mail
  const wrong = directoryPerson({ username: 'a b', email: '' })
  keycloak.people = [directoryPerson(), directoryPerson(), wrong]
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  await page.getByRole('button', { name: t.create }).click()
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  const name = `${prefix}${randomUUID().slice(0, 8)}`
  for (const [label, value] of [
    [t.name, name],
    [t.url, keycloak.url],
    [t.realm, 'staff'],
    [t.clientId, 'portal'],
    [t.clientSecret, keycloak.secret],
  ] as const)
    await dialog.getByLabel(label, { exact: true }).fill(value)
  await dialog.getByRole('button', { name: t.check }).click()
  await expect(dialog.getByRole('status')).toContainText('3')
  await dialog.getByRole('button', { name: ui.create, exact: true }).click()
  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

  await page.getByRole('button', { name: ui.enable }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: ui.enable }).click()
  // a run is started where it can be seen, not from the header of every tab
  const start = page.getByRole('button', { name: sync.start, exact: true })
  await expect(start).toHaveCount(0)
  await page.getByRole('link', { name: t.tabs.mappers }).first().click()
  await page.getByRole('button', { name: mappers.addBase }).click()
  await expect(page.getByText('username', { exact: true })).toBeVisible()

  await page.getByRole('link', { name: t.tabs.synchronization, exact: true }).click()
  await expect(start).toBeVisible()
  await page.getByRole('button', { name: sync.trialStart }).click()
  await expect(page.getByText(sync.would.created)).toBeVisible()
  await page.getByRole('button', { name: `${ui.edit}: ${sync.schedule}` }).click()
  const amount = async (name: string) => {
    await page.getByRole('combobox', { name: sync.periodAmount, exact: true }).click()
    await page.getByRole('option', { name, exact: true }).click()
  }
  await page.getByLabel(sync.periodUnit, { exact: true }).fill('2')
  await amount(sync.amounts.days)
  await expect(page.getByText(sync.longPeriod)).toBeVisible()
  await amount(sync.amounts.hours)
  await expect(page.getByText(sync.longPeriod)).toBeHidden()
  await page.getByLabel(sync.enabledLabel).click()
  await page.getByRole('button', { name: ui.save }).click()
  await expect(page.getByText(runs.partly.replace('{count, number}', '1'), { exact: true }).last()).toBeVisible()
  await expect(page.getByText(runs.states.done)).toHaveCount(0)
  await expect(page.getByText(wrong.id)).toBeVisible()
  // the card doesn't look as if all were well
  await expect(page.getByText(t.partly.replace('{count, number}', '1'), { exact: true }).first()).toBeVisible()
  const [row] = await db().select({ id: providers.id }).from(providers).where(eq(providers.name, name))
  expect(await db().$count(users, eq(users.providerId, row?.id ?? ''))).toBe(2)
})

test('another type of a mapper, or another kind of source, begins anew', {
  tag: '@full',
}, async ({ page, context, baseURL }) => {
  await asOwn(context, 'administrator', language)
  const made = await context.request.post('/api/v1/platform/setting/providers', {
    data: { ...providerFor('http://127.0.0.1:1'), name: `${prefix}${randomUUID().slice(0, 8)}` },
    headers: { origin: baseURL ?? '' },
  })
  const { id } = await made.json()
  await page.goto(`${path}/${id}`)
  await page.getByRole('link', { name: t.tabs.mappers }).first().click()
  await page.getByRole('button', { name: mappers.create }).click()
  const mapper = page.getByRole('dialog', { name: mappers.createTitle })
  const select = (label: string) => mapper.getByRole('combobox', { name: label, exact: true })
  const choose = async (label: string, option: string) => {
    await select(label).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await choose(mappers.before, 'email')
  await expect(select(mappers.before)).toContainText('email')
  await mapper.getByRole('button', { name: mappers.pairAdd }).click()
  await mapper.getByLabel(mappers.pairBefore, { exact: true }).fill('a')
  const custom = mapper.getByRole('checkbox', { name: mappers.custom })
  await custom.check()
  await expect(mapper.getByLabel(mappers.attributeName, { exact: true })).toHaveValue('')
  await expect(mapper.getByLabel(mappers.pairBefore, { exact: true })).toHaveCount(0)
  await mapper.getByLabel(mappers.attributeName, { exact: true }).fill('department')
  await choose(mappers.type, mappers.types['users-access'])
  await expect(custom).not.toBeChecked()
  await choose(mappers.type, mappers.types['users-base'])
  await expect(select(mappers.before)).not.toContainText('email')
  await custom.check()
  await expect(mapper.getByLabel(mappers.attributeName, { exact: true })).toHaveValue('')
})

test('a client without rights is told which it lacks, and a taken name is refused', {
  tag: '@full',
}, async ({ page, context }) => {
  const { name: taken } = await createProvider({ name: `${prefix}${randomUUID().slice(0, 8)}`, enabled: false })
  const keycloak = await startKeycloak()
  keycloak.rights = false
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  await page.getByRole('button', { name: t.create }).click()
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  for (const [label, value] of [
    [t.name, taken],
    [t.url, keycloak.url],
    [t.realm, 'staff'],
    [t.clientId, 'portal'],
    [t.clientSecret, keycloak.secret],
  ] as const)
    await dialog.getByLabel(label, { exact: true }).fill(value)
  await dialog.getByRole('button', { name: t.check }).click()
  await expect(dialog.getByText(errors.providerAccess)).toBeVisible()
  await expect(dialog.getByText('view-users')).toBeVisible()
  await dialog.getByRole('button', { name: ui.create, exact: true }).click()
  await expect(dialog.getByText(errors.errorUnique).first()).toBeVisible()
})
