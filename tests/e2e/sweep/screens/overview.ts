import { expect } from '@playwright/test'
import { forgetEvents, giveUp } from '../../given-up-event'
import type { Rows, State } from '../row'

const menu: State = {
  widths: [360, 320],
  async reach({ page, t }) {
    await page.getByRole('button', { name: t.shell.openMenu }).click()
    await expect(page.getByRole('dialog', { name: t.shell.platform })).toBeVisible()
  },
}

export const rows: Rows = {
  Platform: [
    { as: 'admin', open: '/platform/setting', states: { 'the menu on a phone': menu } },
    { name: 'refused to somebody without a method', as: 'services', open: '/platform/setting', refused: true },
    {
      name: 'an event that was given up',
      as: 'admin',
      async open({ page, t, later }) {
        later(forgetEvents)
        await giveUp()
        // the numbers of the overview may be some seconds old
        await expect(async () => {
          await page.goto('/platform/setting')
          await expect(page.getByRole('region', { name: t.overview.events.title })).toBeVisible({ timeout: 1_000 })
        }).toPass()
      },
    },
  ],
}
