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
}
