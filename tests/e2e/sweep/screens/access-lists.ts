import { expect } from '@playwright/test'
import { pressCreate } from '../../signed-in'
import type { Rows } from '../row'

export const rows: Rows = {
  PlatformWhitelist: [
    {
      as: 'administrator',
      open: '/platform/setting/whitelist',
      states: {
        'an address that was checked': async ({ page, t }) => {
          const words = t['access-lists'].check
          await page.getByRole('button', { name: words.action }).click()
          const dialog = page.getByRole('dialog', { name: words.title })
          await dialog.getByLabel(words.ip).fill('203.0.113.200')
          await dialog.getByRole('button', { name: words.verb }).click()
          await expect(dialog.getByRole('heading', { name: words.entries })).toBeVisible()
        },
      },
    },
  ],
  PlatformBlacklist: [
    {
      as: 'administrator',
      open: '/platform/setting/blacklist',
      states: {
        'a new one, filled in wrong': {
          texts: true,
          reach: async ({ page, t }) => {
            await pressCreate(page, t.blacklist.create)
            const dialog = page.getByRole('dialog', { name: t.blacklist.createTitle })
            await dialog.getByRole('button', { name: t.ui.create, exact: true }).click()
            await expect(dialog.getByText(t.errors.errorSubnetOrAlias).first()).toBeVisible()
          },
        },
      },
    },
  ],
}
