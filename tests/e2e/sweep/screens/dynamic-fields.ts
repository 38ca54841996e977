import { expect } from '@playwright/test'
import type { Rows } from '../row'

const base = '/platform/setting/options/users/dynamic-fields'

export const rows: Rows = {
  PlatformFields: [
    { as: 'administrator', open: `${base}?filter[search]=a` },
    { name: 'without a search', as: 'administrator', open: base, leadsTo: 'UsersSettingsFields' },
  ],
  UsersSettingsFields: [
    {
      as: 'administrator',
      open: `${base}/users`,
      states: {
        'a question': async ({ page, t }) => {
          await page
            .locator('main')
            .getByRole('list', { name: t['dynamic-fields'].tabs })
            .getByRole('button')
            .last()
            .click()
          await page.getByRole('menuitem', { name: t['dynamic-fields'].hide }).click()
          await expect(page.getByRole('alertdialog')).toBeVisible()
        },
      },
    },
  ],
  UsersSettingsFieldsSubtypes: [
    {
      as: 'administrator',
      open: `${base}/users/details/users_main`,
      states: {
        'a new field, filled in wrong': async ({ page, t }) => {
          const dialog = page.getByRole('dialog')
          await page.getByRole('button', { name: t['dynamic-fields'].create }).click()
          await dialog.getByRole('combobox', { name: t['dynamic-fields'].fieldType }).click()
          await page.getByRole('option', { name: t['dynamic-fields'].fieldTypes.dropbox, exact: true }).click()
          await dialog.getByRole('button', { name: t['dynamic-fields'].addItem }).click()
          await dialog.getByRole('button', { name: t.ui.create, exact: true }).click()
          await expect(dialog.getByText(t.errors.errorEmpty).first()).toBeVisible()
        },
        'a block above it': {
          texts: true,
          reach: async ({ page, t }) => {
            await page.getByRole('dialog').getByRole('button', { name: t['dynamic-fields'].createBlock }).click()
            await expect(page.getByRole('dialog', { name: t['dynamic-fields'].createBlockTitle })).toBeVisible()
          },
        },
      },
    },
    {
      name: 'a shipped field',
      as: 'administrator',
      open: `${base}/users/details/users_main`,
      states: {
        'in edit': {
          texts: true,
          reach: async ({ page, t }) => {
            await page.locator('main ol > li').first().getByRole('button').last().click()
            await page.getByRole('menuitem', { name: t.ui.edit }).click()
            await expect(page.getByRole('dialog').getByText(t['dynamic-fields'].lockedShipped)).toBeVisible()
          },
        },
      },
    },
    { name: 'who may only read', as: 'auditor', open: `${base}/contractors/details/contractors_main` },
  ],
}
