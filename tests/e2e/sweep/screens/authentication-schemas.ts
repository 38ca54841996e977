import { expect } from '@playwright/test'
import type { Rows } from '../row'

export const rows: Rows = {
  PlatformAuthenticationSchemas: [
    {
      as: 'administrator',
      open: '/platform/setting/authentication-schemas',
      states: {
        'what anybody sees': async ({ page, t }) => {
          const { preview } = t['authentication-schemas']
          await page.getByLabel(preview.identifier).fill('somebody@polaris.example')
          await page.getByRole('button', { name: preview.show }).click()
          await expect(page.getByRole('region', { name: preview.title }).getByRole('listitem')).not.toHaveCount(0)
        },
        'a new one, filled in wrong': {
          texts: true,
          reach: async ({ page, t }) => {
            await page.getByRole('button', { name: t['authentication-schemas'].create }).click()
            await page.getByRole('dialog').getByRole('button', { name: t.ui.create }).click()
            await expect(page.getByRole('dialog').getByText(t.errors.errorEmpty).first()).toBeVisible()
          },
        },
      },
    },
  ],
}
