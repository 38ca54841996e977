import { expect, type Page } from '@playwright/test'
import type { Rows } from '../row'

const opens = async (page: Page, create: string) => {
  await page.getByRole('button', { name: create }).click()
  await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible()
}

export const rows: Rows = {
  PlatformLibraries: [{ as: 'admin', open: '/platform/setting/libraries', leadsTo: 'PlatformLibrariesDocuments' }],
  PlatformLibrariesDocuments: [
    {
      as: 'admin',
      open: '/platform/setting/libraries/documents',
      states: { 'a new one': ({ page, t }) => opens(page, t.documents.create) },
    },
  ],
  PlatformLibrariesBanners: [
    {
      as: 'admin',
      open: '/platform/setting/libraries/banners',
      states: { 'a new one': ({ page, t }) => opens(page, t.banners.create) },
    },
  ],
  PlatformLibrariesLocales: [
    {
      as: 'admin',
      open: '/platform/setting/libraries/locales',
      states: { 'a new one': ({ page, t }) => opens(page, t.locales.create) },
    },
  ],
  PlatformLibrariesLocale: [
    {
      as: 'admin',
      showsKeys: true,
      open: async ({ page }) => {
        await page.goto('/platform/setting/libraries/locales')
        await page.getByRole('link', { name: 'English' }).click()
        await expect(page.getByRole('heading', { level: 1, name: 'English' })).toBeVisible()
      },
      states: {
        'a text being written': async ({ page, t }) => {
          await page
            .getByRole('main')
            .getByRole('button', { name: new RegExp(t.ui.list.rowActions.split('{')[0] ?? '') })
            .first()
            .click()
          await page.getByRole('menuitem', { name: t.ui.edit }).click()
          await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible()
        },
      },
    },
  ],
}
