import { createContractor, createContractorRole, join, newEmail } from '../factories/companies'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asPerson, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { 'invitation-import': t, invitations: inviting } = words

test('a list is refused, mended, checked row by row and sent while the manager watches', { tag: '@full' }, async ({
  page,
  context,
  database: _,
}) => {
  const user = await createUser()
  const company = await createContractor()
  await join(company, user.id, [(await createContractorRole(['masterAccountAccess'])).id])
  const role = await createContractorRole()
  const emails = [newEmail(), newEmail(), newEmail()]
  await asPerson(context, user.login, language)
  await page.goto('/platform/profile/requests/invitations')
  await takenOver(page)
  await page.getByRole('button', { name: t.open }).first().click()
  const dialog = page.getByRole('dialog')
  const list = dialog.getByLabel(t.text)
  await list.fill('name;phone\nAnna;1')
  await dialog.getByRole('button', { name: t.check }).click()
  await expect(dialog.getByText(words.errors.importNoEmail, { exact: true })).toBeVisible()

  await dialog.getByLabel(t.contractor, { exact: true }).click()
  await page.getByRole('option', { name: company.contractor.name }).click()
  await dialog.getByRole('button', { name: t.addPlace }).click()
  await dialog.getByLabel(t.roles, { exact: true }).click()
  await page.getByRole('option', { name: language === 'ru' ? role.name : (role.nameEn ?? '') }).click()
  await page.keyboard.press('Escape')
  const inn = company.contractor.inn ?? ''
  const rows = [...emails, 'nobody'].map((email) => `${email};${inn};${role.name}`)
  await list.fill(['email;inn;roles', ...rows].join('\n'))
  await dialog.getByRole('button', { name: t.check }).click()
  // each row has its own answer before anything is sent
  await expect(dialog.getByText(words.errors.errorEmail, { exact: true })).toBeVisible()
  for (const email of emails) await expect(dialog.getByText(email)).toBeVisible()
  await expect(dialog.getByText(company.contractor.name).first()).toBeVisible()
  // back at the list everything is as it was, by its names
  await dialog.getByRole('button', { name: t.back }).click()
  await expect(list).toHaveValue(/nobody/)
  await expect(dialog.getByLabel(t.contractor, { exact: true })).toHaveText(company.contractor.name)
  await expect(dialog.getByLabel(t.organization, { exact: true })).toHaveText(
    language === 'ru' ? company.organization.name : (company.organization.nameEn ?? ''),
  )
  await dialog.getByRole('button', { name: t.check }).click()
  await dialog.getByRole('button', { name: /\s3\s/ }).click()
  // a run that left a row out doesn't look as if all were well
  await expect(dialog.getByText(words.runs.partly.replace('{count, number}', '1'), { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  for (const email of emails)
    await expect(page.locator('main tbody tr').filter({ hasText: email })).toContainText(inviting.statuses.active)
  await expect(page.locator('main tbody tr')).toHaveCount(3)
})
