import { expect } from '@playwright/test'
import { pressCreate } from '../../signed-in'
import type { Rows } from '../row'

const path = '/platform/setting/network-aliases'

export const rows: Rows = {
  PlatformNetworkAliases: [
    {
      as: 'administrator',
      open: path,
      states: {
        'a new one': async ({ page, t }) => {
          await pressCreate(page, t['network-aliases'].create)
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
    {
      name: 'somebody else saved it meanwhile',
      as: 'administrator',
      open: `${path}?filter[search]=VPN`,
      states: {
        'the choice by field': async ({ page, t }) => {
          const at = new Date(0).toISOString()
          const changer = { name: 'Орлов Дмитрий', you: false }
          const values = { name: 'VPN', comment: 'Их комментарий', ips: [{ ip: '10.0.0.0/8', comment: 'их' }] }
          const data = { conflict: { at, updatedAt: at, by: changer, values, hidden: [] } }
          const json = { code: 'conflict', message: 'conflict', requestId: 'x', data }
          await page.route('**/setting/network-aliases/*', (route) =>
            route.request().method() === 'PUT' ? route.fulfill({ status: 409, json }) : route.fallback(),
          )
          await page.locator('main [data-row-action]').first().click()
          await page.getByRole('menuitem', { name: t.ui.edit }).click()
          const dialog = page.getByRole('dialog')
          await dialog.getByLabel(t['network-aliases'].comment, { exact: true }).fill('Мой комментарий')
          await dialog.getByRole('button', { name: t.ui.save }).click()
          await expect(dialog.getByRole('group', { name: t.ui.conflict.label })).toBeVisible()
        },
      },
    },
    { name: 'nothing found', as: 'administrator', open: `${path}?filter[search]=nothing-like-it` },
  ],
}
