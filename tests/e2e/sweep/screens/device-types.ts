import { expect } from '@playwright/test'
import type { Rows } from '../row'

export const rows: Rows = {
  PlatformDeviceTypes: [
    {
      as: 'administrator',
      open: '/platform/setting/device-types',
      states: {
        'a new one': async ({ page, t }) => {
          await page.getByRole('button', { name: t['device-types'].create }).click()
          await expect(page.getByRole('dialog')).toBeVisible()
        },
      },
    },
  ],
}
