import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { contractors, invitationRoles, invitations } from '@/db/schema'
import { createContractorRole, plantInvitation } from '../../../factories/companies'
import { pressCreate } from '../../signed-in'
import type { Rows } from '../row'

const path = '/platform/setting/contractors'

/** Opens the card of the first contractor of the list. */
const openCard = async (page: Page, tab = '') => {
  await page.goto(path)
  const href = await page.locator('main tbody th a').first().getAttribute('href')
  await page.goto(`${href}${tab}`)
}

export const rows: Rows = {
  PlatformContractors: [
    {
      as: 'administrator',
      open: path,
      states: {
        'a new one, filled in wrong': async ({ page, t }) => {
          await pressCreate(page, t.contractors.create)
          const dialog = page.getByRole('dialog', { name: t.contractors.createTitle })
          await dialog.getByLabel(t.requisites.inn, { exact: true }).fill('770')
          await dialog.getByRole('button', { name: t.ui.create, exact: true }).click()
          await expect(dialog.getByLabel(t.requisites.inn, { exact: true })).toHaveAttribute('aria-invalid', 'true')
        },
      },
    },
    { name: 'nothing found', as: 'administrator', open: `${path}?filter[search]=nothing-like-it` },
  ],
  PlatformContractor: [
    {
      as: 'administrator',
      open: ({ page }) => openCard(page),
      states: {
        'its people': { texts: true, reach: ({ page }) => openCard(page, '?tab=people') },
        'its invitations, which give nothing or a part': {
          texts: true,
          reach: async ({ page, t, later }) => {
            const planted = await plantInvitation()
            const { id: contractorId } = planted.contractor
            later(() => db().delete(contractors).where(eq(contractors.id, contractorId)))
            // a second role that its inviter may not give, and an invitation whose inviter is gone
            const { id: roleId } = await createContractorRole(['settings.write'])
            const organizationId = planted.organization.id
            await db().insert(invitationRoles).values({ invitationId: planted.id, organizationId, roleId })
            const invitation = { contractorId, inviterId: null, expiresAt: new Date(Date.now() + 3_600_000) }
            const [ofNobody] = await db()
              .insert(invitations)
              .values({ ...invitation, idHash: randomUUID(), email: 'left@polaris.example' })
              .returning()
            await db()
              .insert(invitationRoles)
              .values({ invitationId: ofNobody?.id ?? '', organizationId, roleId: planted.role.id })
            await page.goto(`${path}/${contractorId}?tab=invitations`)
            await expect(page.locator('main').getByText(t.contractors.givesNothing)).toBeVisible()
            await expect(page.locator('main').getByText(t.contractors.withheld.inviter)).toBeVisible()
            await expect(page.locator('main').getByText(t.contractors.givesPart)).toBeVisible()
          },
        },
        'its history': ({ page }) => openCard(page, '?tab=history'),
        'a merge': async ({ page, t }) => {
          await openCard(page)
          await page.getByRole('button', { name: t.contractors.merge }).click()
          await expect(page.getByRole('dialog')).toBeVisible()
        },
      },
    },
    { name: 'to somebody who only looks', as: 'auditor', open: ({ page }) => openCard(page) },
    {
      name: 'refused to somebody without a method',
      as: 'employee',
      open: `${path}/00000000-0000-4000-8000-000000000000`,
      refused: true,
    },
  ],
}
