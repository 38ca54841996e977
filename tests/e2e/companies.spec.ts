import { createContractor, createContractorRole, join, openService } from '../factories/companies'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asPerson, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words: t } = spokenIn(import.meta.filename)
const path = '/platform/profile/companies'

/** Somebody who manages one company and belongs to another. */
async function manager() {
  const user = await createUser()
  const [managed, other] = [await createContractor(), await createContractor()]
  const role = await createContractorRole(['masterAccountAccess'])
  const service = await openService(role.id)
  await join(managed, user.id, [role.id])
  await join(other, user.id, [])
  return { user, managed: managed.contractor, other: other.contractor, role, service }
}

test('people see their companies and leave one, knowing what closes', async ({ page, context, database: _ }) => {
  const { user, managed, other, role, service } = await manager()
  await asPerson(context, user.login, language)
  await page.goto(path)
  await takenOver(page)
  const card = page.getByRole('article', { name: managed.name })
  await expect(card).toContainText(language === 'ru' ? role.name : (role.nameEn ?? ''))
  await card.getByText(t.companies.requisites, { exact: true }).click()
  await expect(card.getByRole('definition').filter({ hasText: managed.inn ?? '' })).toBeVisible()

  const menu = card.getByRole('button')
  const leave = page.getByRole('menuitem', { name: t.companies.leave })
  await menu.click()
  await leave.click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(service)
  await expect(question).toContainText(t.companies.lastManager)
  await question.getByRole('button', { name: t.ui.cancel }).click()
  await expect(menu).toBeFocused()

  await menu.click()
  await leave.click()
  await question.getByRole('button', { name: t.companies.leave }).click()
  await expect(card).toHaveCount(0)
  await expect(page.getByRole('article', { name: other.name })).toBeVisible()
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
  await page.reload()
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('who has left in another tab already is told, and sees the truth', { tag: '@full' }, async ({
  page,
  context,
  database: _,
}) => {
  const { user, managed } = await manager()
  await asPerson(context, user.login, language)
  await page.goto(path)
  await takenOver(page)
  await page.getByRole('article', { name: managed.name }).getByRole('button').click()
  await page.getByRole('menuitem', { name: t.companies.leave }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(t.companies.lastManager)
  const address = `${process.env.PUBLIC_URL}/api/v1/platform/user/profile/companies/${managed.id}`
  // the other tab is first by a moment: told earlier, this page would close the question by itself
  await page.route(address, async (route) => {
    const answer = await context.request.delete(address, { headers: { origin: process.env.PUBLIC_URL ?? '' } })
    expect(answer.status()).toBe(200)
    await route.continue()
  })
  await question.getByRole('button', { name: t.companies.leave }).click()
  await expect(page.getByText(t.snackbar.companyLeaveError.replace('{company}', managed.name))).toBeVisible()
  await expect(page.getByRole('article', { name: managed.name })).toHaveCount(0)
})
