import type { Browser } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { accessRequests } from '@/db/schema'
import { createContractor, createContractorRole, join, openService } from '../factories/companies'
import { createCompanyRequests } from '../factories/company-requests'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asPerson, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const t = words['access-requests']
const path = '/platform/profile/requests/access'
const nameOf = (role: { name: string; nameEn: string | null }) => (language === 'ru' ? role.name : (role.nameEn ?? ''))

/** Somebody without any role but `user`, as whoever has just registered. */
const newcomer = (fio: string) => createUser({ fio })

/** A manager of a company, with a role that opens a service. */
async function manager() {
  const user = await createUser()
  const company = await createContractor()
  const role = await createContractorRole(['masterAccountAccess'])
  const service = await openService(role.id)
  await join(company, user.id, [role.id])
  const { name, nameEn } = company.organization
  return { user, company, role, service, contractor: company.contractor, place: nameOf({ name, nameEn }) }
}

/** A tab of somebody else, in a browser of their own. */
async function tabOf(browser: Browser, login: string) {
  const context = await browser.newContext({ baseURL: process.env.PUBLIC_URL ?? '' })
  await asPerson(context, login, language)
  return context.newPage()
}

test('a newcomer asks, a manager lets them in, and the service opens without signing in again', async ({
  page,
  context,
  browser,
  database: _,
}) => {
  const { user, role, service, contractor, place } = await manager()
  const asking = await newcomer('Новикова Ева Юрьевна')
  await asPerson(context, asking.login, language)
  // the locked tile leads to the form in which the service's role is chosen
  await page.goto('/platform/apps')
  await page.getByRole('link', { name: t.askFor.replace('{service}', service) }).click()
  const form = page.getByRole('dialog')
  await expect(form.getByText(nameOf(role))).toBeVisible()
  // the empty list offers it, so the page's header doesn't
  await expect(page.locator('main [data-create]:visible')).toHaveCount(1)
  await form.getByLabel(t.companyName).fill(contractor.name)
  await form.getByLabel(t.inn).fill('12')
  await form.getByRole('button', { name: t.send }).click()
  await expect(form.getByText(words.errors.errorInn, { exact: true })).toBeVisible()
  await form.getByLabel(t.inn).fill(contractor.inn ?? '')
  await form.getByLabel(t.kpp).fill('770101001')
  await form.getByRole('button', { name: t.send }).click()
  const row = page.locator('main tbody tr').filter({ hasText: contractor.name })
  await expect(row).toContainText(t.record.statuses.considered)

  const office = await tabOf(browser, user.login)
  await office.goto(`${path}?tab=incoming`)
  await takenOver(office)
  await office.locator('main tbody').getByRole('button', { name: 'Новикова' }).click()
  const dialog = office.getByRole('dialog')
  await expect(dialog).toContainText(contractor.inn ?? '')
  // boxes of one role are told apart by their organizations
  await expect(dialog.getByRole('checkbox', { name: `${nameOf(role)}, ${place}` })).toBeChecked()
  // what the dialog has chosen itself is no input that could be lost
  await office.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await office.locator('main tbody').getByRole('button', { name: 'Новикова' }).click()
  await expect(dialog.getByRole('checkbox', { name: `${nameOf(role)}, ${place}` })).toBeChecked()
  await dialog.getByRole('button', { name: t.verbs.contractor }).click()
  await expect(dialog).toBeHidden()
  await expect(office.locator('main tbody tr').filter({ hasText: 'Новикова' })).toContainText(
    t.record.statuses.approved,
  )
  await office.context().close()

  // the newcomer sees it on the open page, which leads to the service for which they came
  await expect(row).toContainText(t.record.statuses.approved)
  await expect(page.getByRole('link', { name: t.openedLink.replace('{service}', service) })).toBeVisible()
  await page.goto('/platform/apps')
  await expect(page.getByRole('link', { name: service, exact: true })).toBeVisible()
})

test('a manager refuses several at once, and sees which one was revoked meanwhile', { tag: '@full' }, async ({
  page,
  context,
  browser,
  database: _,
}) => {
  const { user, contractor } = await manager()
  const people = [await newcomer('Первая Анна'), await newcomer('Второй Борис')]
  const ids: string[] = []
  for (const { id } of people) ids.push(...(await createCompanyRequests(id, [contractor])))
  await asPerson(context, user.login, language)
  await page.goto(`${path}?tab=incoming`)
  await takenOver(page)
  await page.locator('main').getByRole('checkbox', { name: 'Первая' }).click()
  // the choice stays while the list is filtered
  const bar = page.getByRole('region', { name: words.ui.bulk.label })
  await bar.getByRole('button', { name: words.ui.bulk.tools }).click()
  await page.getByRole('textbox', { name: t.incomingSearch }).fill('Второй')
  await page.keyboard.press('Enter')
  await expect(page.locator('main tbody tr')).toHaveCount(1)
  await page.locator('main').getByRole('checkbox', { name: 'Второй' }).click()
  // on a phone the bar is above the menu, which is at the bottom of the window too
  const wide = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 780 })
  const menu = await page.getByRole('navigation', { name: words.shell.bottomMenu }).boundingBox()
  const low = await bar.boundingBox()
  expect((low?.y ?? 0) + (low?.height ?? 0)).toBeLessThanOrEqual(menu?.y ?? 0)
  await page.setViewportSize(wide ?? { width: 1280, height: 720 })
  await db()
    .update(accessRequests)
    .set({ status: 'remove' })
    .where(eq(accessRequests.id, ids[1] ?? ''))
  await bar.getByRole('button', { name: t.decide }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: t.decisions.deny }).check()
  await dialog.getByRole('button', { name: t.verbs.deny }).click()
  await expect(dialog.getByText(words.errors.errorEmpty, { exact: true })).toBeVisible()
  await dialog.getByLabel(t.reason, { exact: true }).fill('Нет договора')
  await dialog.getByRole('button', { name: t.verbs.deny }).click()
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Второй' })).toContainText(/закры|closed/)
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Первая' })).toContainText(t.done.deny)
  await dialog.getByRole('button', { name: words.ui.close }).last().click()
  await expect(bar).toHaveCount(0)

  const refused = await tabOf(browser, people[0]?.login ?? '')
  await refused.goto(path)
  await expect(refused.locator('main tbody tr')).toContainText('Нет договора')
  await refused.context().close()
})

test('roles by hand, a repeated request and a refusal stand in the open pages of three people at once', {
  tag: '@full',
}, async ({ page, context, browser, database: _ }) => {
  const { user, company, role, service, contractor } = await manager()
  const people = [
    { fio: 'Участникова Анна', decision: 'allow', status: t.record.statuses.approved },
    { fio: 'Повторов Борис', decision: 'duplicate', status: t.record.statuses.duplicate },
    { fio: 'Чужова Вера', decision: 'deny', status: 'Нет договора' },
  ] as const
  const tabs: (typeof page)[] = []
  for (const { fio, decision } of people) {
    const asking = await newcomer(fio)
    // roles by hand go to who is in the company already
    if (decision === 'allow') await join(company, asking.id, [])
    await createCompanyRequests(asking.id, [contractor], { roleIds: [role.id] })
    const tab = await tabOf(browser, asking.login)
    await tab.goto(path)
    await expect(tab.locator('main tbody tr')).toContainText(t.record.statuses.considered)
    tabs.push(tab)
  }
  await asPerson(context, user.login, language)
  await page.goto(`${path}?tab=incoming`)
  await takenOver(page)
  const dialog = page.getByRole('dialog')
  for (const [n, { fio, decision, status }] of people.entries()) {
    await page.locator('main tbody').getByRole('button', { name: fio }).click()
    await expect(dialog.getByRole('checkbox', { name: nameOf(role) })).toBeChecked()
    await dialog.getByRole('radio', { name: t.decisions[decision] }).check()
    if (decision === 'deny') await dialog.getByLabel(t.reason, { exact: true }).fill(status)
    await dialog.getByRole('button', { name: t.verbs[decision] }).click()
    await expect(dialog).toBeHidden()
    await expect(tabs[n]?.locator('main tbody tr') ?? page.locator('nothing')).toContainText(status)
  }
  await tabs[0]?.goto('/platform/apps')
  await expect(tabs[0]?.getByRole('link', { name: service, exact: true }) ?? page.locator('nothing')).toBeVisible()
  for (const tab of tabs) await tab.context().close()
})
