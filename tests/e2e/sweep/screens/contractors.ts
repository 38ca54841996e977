import { expect, type Page } from '@playwright/test'
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
      as: 'admin',
      open: path,
      states: {
        'a new one, filled in wrong': async ({ page, t }) => {
          await page.getByRole('button', { name: t.contractors.create }).first().click()
          const dialog = page.getByRole('dialog', { name: t.contractors.createTitle })
          await dialog.getByLabel(t.requisites.inn, { exact: true }).fill('770')
          await dialog.getByRole('button', { name: t.ui.create, exact: true }).click()
          await expect(dialog.getByLabel(t.requisites.inn, { exact: true })).toHaveAttribute('aria-invalid', 'true')
        },
      },
    },
    { name: 'nothing found', as: 'admin', open: `${path}?filter[search]=nothing-like-it` },
  ],
  PlatformContractor: [
    {
      as: 'admin',
      open: ({ page }) => openCard(page),
      states: {
        'its people': ({ page }) => openCard(page, '?tab=people'),
        'its history': ({ page }) => openCard(page, '?tab=history'),
        'a merge': async ({ page, t }) => {
          await openCard(page)
          await page.getByRole('button', { name: t.contractors.merge }).click()
          await expect(page.getByRole('dialog')).toBeVisible()
        },
      },
    },
  ],
}
