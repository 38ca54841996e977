import { createContractor, createContractorRole, join, newEmail } from '../factories/companies'
import { newcomer } from '../factories/company-requests'
import { expect, test } from './fixtures'
import { person } from './people'
import { signInAs, takenOver } from './signed-in'
import { wordsOf } from './words'

const path = '/platform/profile/requests/invitations'

/** A manager of a company, with a role that they may give there. */
async function manager() {
  const user = await person(['credentials'])
  const company = await createContractor()
  await join(company, user.id, [(await createContractorRole(['masterAccountAccess'])).id])
  return { user, role: await createContractorRole(), ...company }
}

for (const language of ['ru', 'en'] as const) {
  const words = wordsOf(language)
  const t = words.invitations
  const local = (one: { name: string; nameEn: string | null }) => (language === 'ru' ? one.name : (one.nameEn ?? ''))

  test(`a manager invites a colleague, who accepts it in their profile and stands in the contacts (${language})`, async ({
    page,
    context,
    browser,
    database: _,
  }) => {
    const { user, role, contractor, organization } = await manager()
    const email = newEmail()
    const invited = await newcomer({ email, emailVerifiedAt: new Date(), fio: 'Лунёва Вера Юрьевна' })
    await signInAs(context, user.login, language)
    await page.goto(path)
    await takenOver(page)
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

    const second = await browser.newContext({ baseURL: process.env.PUBLIC_URL ?? '' })
    const own = await second.newPage()
    await signInAs(second, invited.login, language)
    await own.goto(path)
    await takenOver(own)
    await own.locator('main').getByRole('button', { name: t.accept }).click()
    await expect(own.getByRole('dialog')).toContainText(local(role))
    await own.getByRole('dialog').getByRole('button', { name: t.accept }).click()
    await expect(own.locator('main tbody tr')).toContainText(t.statuses.success)
    await second.close()

    await page.reload()
    await expect(row).toContainText(t.statuses.success)
    await page.goto('/platform/profile/contacts')
    await expect(page.locator('main tbody tr').filter({ hasText: 'Лунёва' })).toBeVisible()
  })

  test(`an invitation is refused for a member, revoked by its manager and declined by its addressee (${language})`, async ({
    page,
    context,
    browser,
    database: _,
  }) => {
    const { user, role, contractor, organization } = await manager()
    const member = await newcomer()
    await join({ contractor, organization } as Parameters<typeof join>[0], member.id, [role.id])
    await signInAs(context, user.login, language)
    await page.goto(path)
    await takenOver(page)
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

    const invited = await newcomer({ email: newEmail(), emailVerifiedAt: new Date() })
    await expect(await inviteAs(invited.email)).toBeHidden()
    const second = await browser.newContext({ baseURL: process.env.PUBLIC_URL ?? '' })
    const own = await second.newPage()
    await signInAs(second, invited.login, language)
    await own.goto(path)
    await takenOver(own)
    await own.locator('main tbody tr').getByRole('button').last().click()
    await own.getByRole('menuitem', { name: t.decline }).click()
    await own.getByRole('alertdialog').getByRole('button', { name: t.decline }).click()
    await expect(own.locator('main tbody tr')).toContainText(t.statuses.refusal)
    await second.close()
    await page.reload()
    await expect(page.locator('main tbody tr').filter({ hasText: invited.email })).toContainText(t.statuses.refusal)
  })
}
