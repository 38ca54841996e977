import { expect } from '@playwright/test'
import type { Rows } from '../row'

const path = '/platform/setting/history'

export const rows: Rows = {
  PlatformHistory: [
    {
      as: 'administrator',
      open: path,
      states: {
        'nothing found': async ({ page, t }) => {
          await page.goto(`${path}?filter[search]=${crypto.randomUUID()}`)
          await expect(page.getByRole('link', { name: t.ui.list.clearSearch })).toBeVisible()
        },
        'a file is chosen': {
          texts: true,
          reach: async ({ page, t }) => {
            await page.goto(path)
            await page.getByRole('button', { name: t.ui.list.export.open, exact: true }).click()
            await expect(page.getByRole('dialog', { name: t.ui.list.export.title })).toBeVisible()
          },
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
