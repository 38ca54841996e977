import { expect } from '@playwright/test'
import type { Rows } from '../row'

const platform = '/platform/setting/options/platform/base'
const users = '/platform/setting/options/users/base'

export const rows: Rows = {
  PlatformSettingsPage: [{ as: 'administrator', open: '/platform/setting/options', leadsTo: 'PlatformSettingsBase' }],
  PlatformSettings: [
    { as: 'administrator', open: '/platform/setting/options/platform', leadsTo: 'PlatformSettingsBase' },
  ],
  UsersSettings: [{ as: 'administrator', open: '/platform/setting/options/users', leadsTo: 'UsersSettingsBase' }],
  PlatformSettingsBase: [
    {
      as: 'administrator',
      open: platform,
      states: {
        'changed and wrong': {
          texts: true,
          reach: async ({ page, t }) => {
            const { names, rules } = t.settings
            await page.getByRole('textbox', { name: names.passwordMin, exact: true }).fill('7')
            await page.getByRole('button', { name: rules.add }).click()
            await page.getByLabel(rules.pattern).fill('^[^0-9]')
            await page.getByLabel(rules.try).fill('2026-Polaris')
            await page.getByRole('button', { name: rules.add }).click()
            await page.getByLabel(rules.pattern).last().fill('(a+)+')
            await page.getByRole('button', { name: t.ui.saveBar.save, exact: true }).click()
            await expect(page.getByRole('textbox', { name: names.passwordMin, exact: true })).toHaveAttribute(
              'aria-invalid',
              'true',
            )
          },
        },
        'nothing found': async ({ page, t }) => {
          await page.getByRole('searchbox', { name: t.settings.search }).fill('nothing like it')
          await expect(page.getByRole('heading', { name: t.settings.nothingTitle })).toBeVisible()
        },
      },
    },
  ],
  UsersSettingsBase: [{ as: 'auditor', open: users }],
  UsersSettingsNotify: [{ as: 'administrator', open: '/platform/setting/options/users/notify-methods' }],
}
