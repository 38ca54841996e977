import { expect } from '@playwright/test'
import { createContractor, createContractorRole, join, plantInvitation } from '../../../factories/companies'
import { newcomer } from '../../../factories/company-requests'
import { person } from '../../people'
import { signInAs, takenOver } from '../../signed-in'
import type { Row, Rows, Visit } from '../row'

const path = '/platform/profile/requests/invitations'
const past = new Date('2026-02-03T09:30:00Z')

/** A manager whose company has an invitation in each state. */
async function sent({ page, context, language }: Visit) {
  const manager = await person(['credentials'])
  const company = await createContractor()
  await join(company, manager.id, [(await createContractorRole(['masterAccountAccess'])).id])
  for (const status of ['active', 'deactivated', 'refusal', 'success', 'deleted'] as const)
    await plantInvitation({
      contractorId: company.contractor.id,
      inviterId: manager.id,
      status,
      ...(status === 'deactivated' ? { expiresAt: past } : {}),
      ...(status === 'active' || status === 'deactivated' ? {} : { finishedAt: past }),
    })
  await signInAs(context, manager.login, language)
  await page.goto(path)
  await takenOver(page)
  await expect(page.locator('main tbody tr')).toHaveCount(5)
}

/** Somebody who is invited to a company, and has declined another one. */
async function ownInvitations({ page, context, language }: Visit) {
  const { login, email } = await newcomer({ emailVerifiedAt: new Date() })
  await plantInvitation({ email })
  await plantInvitation({ email, status: 'refusal', finishedAt: past })
  await signInAs(context, login, language)
  await page.goto(path)
  await takenOver(page)
  await expect(page.locator('main tbody tr')).toHaveCount(2)
}

const rowsOfInvitations: Row[] = [
  {
    open: sent,
    states: {
      'inviting, filled in wrong': async ({ page, t }) => {
        await page.getByRole('button', { name: t.invitations.invite, exact: true }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('button', { name: t.invitations.invite }).click()
        await expect(dialog.getByText(t.errors.errorEmpty, { exact: true }).first()).toBeVisible()
      },
      'a list, checked': async ({ page, t }) => {
        await page.reload()
        await takenOver(page)
        const words = t['invitation-import']
        await page.getByRole('button', { name: words.open }).first().click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel(words.text).fill('name.of.somebody@polaris.example\nnobody\nanother@polaris.example')
        await dialog.getByLabel(words.contractor, { exact: true }).click()
        await page.getByRole('option').first().click()
        await dialog.getByRole('button', { name: words.addPlace }).click()
        await dialog.getByLabel(words.roles, { exact: true }).click()
        await page.getByRole('option').first().click()
        await page.keyboard.press('Escape')
        await dialog.getByRole('button', { name: words.check }).click()
        await expect(dialog.getByText(t.errors.errorEmail, { exact: true })).toBeVisible()
      },
    },
  },
  {
    name: 'incoming',
    open: ownInvitations,
    states: {
      'what it gives': async ({ page, t }) => {
        await page.locator('main').getByRole('button', { name: t.invitations.accept }).click()
        await expect(page.getByRole('dialog').getByText(t.invitations.answerUntil)).toBeVisible()
      },
    },
  },
  {
    texts: true,
    name: 'unproven e-mail',
    async open({ page, context, language, t }) {
      await signInAs(context, (await newcomer()).login, language)
      await page.goto(path)
      await expect(page.locator('main').getByText(t.invitations.unprovenTitle)).toBeVisible()
    },
  },
]

export const rows: Rows = { UserProfileInvitationsRequests: rowsOfInvitations }
