import { expect } from '@playwright/test'
import type { Rows } from '../row'

const path = '/platform/setting/history'

export const rows: Rows = {
  PlatformHistory: [
    {
      as: 'admin',
      open: path,
      states: {
        'nothing found': async ({ page, t }) => {
          await page.goto(`${path}?filter[search]=${crypto.randomUUID()}`)
          await expect(page.getByText(t.ui.list.noneTitle).first()).toBeVisible()
        },
        'filters chosen': async ({ page }) => {
          await page.goto(
            `${path}?filter[entity]=roles&filter[entity]=users&filter[type]=create&filter[changer]=platform`,
          )
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        },
      },
    },
  ],
}
