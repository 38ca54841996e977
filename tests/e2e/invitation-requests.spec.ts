import type { Page } from '@playwright/test'
import { createContractor, createContractorRole, join, newEmail } from '../factories/companies'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asPerson, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const t = words.invitations
const path = '/platform/profile/requests/invitations'

/** A manager of a company, with a role that they may give there. */
async function manager() {
  const user = await createUser()
  const company = await createContractor()
  await join(company, user.id, [(await createContractorRole(['masterAccountAccess'])).id])
  return { user, role: await createContractorRole(), ...company }
}

/** Opens the page of invitations as this person. */
async function openAs(page: Page, { login }: { login: string }) {
  // an open page would notice the other person
  await page.goto('about:blank')
  await asPerson(page.context(), login, language)
  await page.goto(path)
  await takenOver(page)
}

const local = (one: { name: string; nameEn: string | null }) => (language === 'ru' ? one.name : (one.nameEn ?? ''))

test('a manager invites a colleague, who accepts it in their profile and stands in the contacts', async ({
  page,
  database: _,
}) => {
  const { user, role, contractor, organization } = await manager()
  const email = newEmail()
  const invited = await createUser({ email, emailVerifiedAt: new Date(), fio: 'Лунёва Вера Юрьевна' })
  await openAs(page, user)
  // the button to invite stands in the empty list then, and no longer beside the title
  await expect(page.locator('main').locator('[data-empty], tbody tr').first()).toBeVisible()
  await page.getByRole('button', { name: t.invite, exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t.email).fill(email)
  // the only company of the manager and its only organization are chosen already
  await expect(dialog.getByLabel(t.company, { exact: true })).toHaveText(contractor.name)
  await expect(dialog.getByLabel(words['invitation-import'].organization, { exact: true })).toHaveText(
    local(organization),
  )
  await dialog.getByLabel(words['invitation-import'].roles, { exact: true }).click()
  await page.getByRole('option', { name: local(role) }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: t.invite }).click()
  await expect(dialog).toBeHidden()
  const row = page.locator('main tbody tr').filter({ hasText: email })
  await expect(row).toContainText(t.statuses.active)

  await openAs(page, invited)
  await page.locator('main').getByRole('button', { name: t.accept }).click()
  await expect(page.getByRole('dialog')).toContainText(local(role))
  await page.getByRole('dialog').getByRole('button', { name: t.accept }).click()
  await expect(page.locator('main tbody tr')).toContainText(t.statuses.success)

  await openAs(page, user)
  await expect(row).toContainText(t.statuses.success)
  await page.goto('/platform/profile/contacts')
  await expect(page.locator('main tbody tr').filter({ hasText: 'Лунёва' })).toBeVisible()
})

test('an invitation is refused for a member, revoked by its manager and declined by its addressee', {
  tag: '@full',
}, async ({ page, database: _ }) => {
  const { user, role, contractor, organization } = await manager()
  const member = await createUser()
  await join({ contractor, organization } as Parameters<typeof join>[0], member.id, [role.id])
  await openAs(page, user)
  // the button to invite stands in the empty list then, and no longer beside the title
  await expect(page.locator('main').locator('[data-empty], tbody tr').first()).toBeVisible()
  const inviteAs = async (email: string) => {
    await page.getByRole('button', { name: t.invite, exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(t.email).fill(email)
    await dialog.getByLabel(words['invitation-import'].roles, { exact: true }).click()
    await page.getByRole('option', { name: local(role) }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: t.invite }).click()
    return dialog
  }
  const dialog = await inviteAs(member.email)
  await expect(dialog).toContainText(words.errors.contractorMember)
  const first = newEmail()
  await dialog.getByLabel(t.email).fill(first)
  await dialog.getByRole('button', { name: t.invite }).click()
  await expect(dialog).toBeHidden()
  const row = page.locator('main tbody tr').filter({ hasText: first })
  await row.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: t.revoke }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t.revoke }).click()
  await expect(row).toContainText(t.statuses.deleted)

  const invited = await createUser({ email: newEmail(), emailVerifiedAt: new Date() })
  await expect(await inviteAs(invited.email)).toBeHidden()
  await openAs(page, invited)
  await page.locator('main tbody tr').getByRole('button').last().click()
  await page.getByRole('menuitem', { name: t.decline }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t.decline }).click()
  await expect(page.locator('main tbody tr')).toContainText(t.statuses.refusal)
  await openAs(page, user)
  await expect(page.locator('main tbody tr').filter({ hasText: invited.email })).toContainText(t.statuses.refusal)
})
