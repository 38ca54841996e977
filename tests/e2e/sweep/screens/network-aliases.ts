import { expect } from '@playwright/test'
import type { Rows } from '../row'

const path = '/platform/setting/network-aliases'

export const rows: Rows = {
  PlatformNetworkAliases: [
    {
      as: 'admin',
      open: path,
      states: {
        'a new one': async ({ page, t }) => {
          await page.getByRole('button', { name: t['network-aliases'].create }).first().click()
          await expect(page.getByRole('dialog')).toBeVisible()
        },
        'a new one, filled in wrong': async ({ page, t }) => {
          const words = t['network-aliases']
          const dialog = page.getByRole('dialog', { name: words.createTitle })
          await dialog.getByRole('button', { name: words.addIp }).click()
          await dialog.getByLabel(words.ip).nth(1).fill('10.0.0.999')
          await dialog.getByRole('button', { name: t.ui.create, exact: true }).click()
          await expect(dialog.getByLabel(words.ip).nth(1)).toHaveAttribute('aria-invalid', 'true')
        },
      },
    },
    { name: 'nothing found', as: 'admin', open: `${path}?filter[search]=nothing-like-it` },
  ],
}
