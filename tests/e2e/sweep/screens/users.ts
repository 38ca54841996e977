import { expect } from '@playwright/test'
import type { Rows } from '../row'

const open = '/platform/setting/users'

export const rows: Rows = {
  PlatformUsers: [{ as: 'admin', open }],
  PlatformUser: [
    {
      as: 'admin',
      open: async ({ page, t }) => {
        await page.goto(`${open}?filter[search]=admin@`)
        await page.locator('main').getByRole('rowheader').getByRole('link').first().click()
        await expect(page.getByRole('heading', { name: t.users.signIn })).toBeVisible()
      },
      states: {
        sessions: async ({ page, t }) => {
          await page.getByRole('link', { name: t.users.sessions }).click()
          await expect(page.getByRole('columnheader', { name: t.users.device })).toBeVisible()
        },
        'a new password': async ({ page, t }) => {
          await page.getByRole('button', { name: t.users.reset }).first().click()
          await expect(page.getByRole('alertdialog')).toBeVisible()
        },
      },
    },
  ],
}
