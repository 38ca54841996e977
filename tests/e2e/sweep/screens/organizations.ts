import { expect } from '@playwright/test'
import { organizationIds } from '@/db/seed/demo/companies'
import { pressCreate } from '../../signed-in'
import type { Rows, State } from '../row'

const path = '/platform/setting/organizations'
const card = `${path}/${organizationIds.polaris}`

const disabling: State = async ({ page, t }) => {
  const main = page.getByRole('main')
  const button = main.getByRole('button', { name: t.ui.disable, exact: true })
  // a phone has it in the menu
  if (await button.isVisible()) await button.click()
  else {
    await main.locator('header [data-row-action][aria-haspopup=menu]').click()
    await page.getByRole('menuitem', { name: t.ui.disable }).click()
  }
  await expect(page.getByRole('alertdialog')).toBeVisible()
}

export const rows: Rows = {
  PlatformOrganizations: [
    {
      as: 'administrator',
      open: path,
      states: {
        'a new one, filled in wrong': async ({ page, t }) => {
          await pressCreate(page, t.organizations.create)
          const dialog = page.getByRole('dialog')
          await dialog.getByLabel(t.requisites.inn, { exact: true }).fill('123')
          await dialog.getByLabel(t.requisites.ogrn, { exact: true }).fill('1027700132196')
          await dialog.getByRole('button', { name: t.ui.create, exact: true }).click()
          await expect(dialog.getByText(t.errors.errorInn).first()).toBeVisible()
          await expect(dialog.getByText(t.requisites.warningOgrn)).toBeVisible()
        },
      },
    },
    { name: 'nothing found', as: 'administrator', open: `${path}?filter[search]=nothing-like-it` },
    { name: 'refused to somebody without a method', as: 'employee', open: path, refused: true },
  ],
  PlatformOrganization: [
    { as: 'administrator', open: card, states: { 'the question before it is disabled': disabling } },
    {
      name: 'requisites being edited',
      as: 'administrator',
      open: card,
      states: {
        'the form': {
          texts: true,
          reach: async ({ page, t }) => {
            await page.getByRole('button', { name: `${t.ui.edit}: ${t.requisites.title}` }).click()
            await expect(page.getByLabel(t.requisites.inn, { exact: true })).toBeVisible()
          },
        },
      },
    },
    { name: 'roles', as: 'administrator', open: `${card}?tab=roles` },
    { name: 'contractors', as: 'administrator', open: `${card}?tab=contractors` },
    { name: 'history', as: 'administrator', open: `${card}?tab=history` },
    { name: 'to somebody who only looks', as: 'auditor', open: card },
    { name: 'refused to somebody without a method', as: 'employee', open: card, refused: true },
    { name: 'unknown', as: 'administrator', open: `${path}/00000000-0000-4000-8000-000000000000`, refused: true },
  ],
}
