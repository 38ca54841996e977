import { expect } from '@playwright/test'
import { partnersId } from '@/db/seed/demo/domains'
import type { Rows, Visit } from '../row'

const path = '/platform/setting/domains'
const card = `${path}/${partnersId}`

const section =
  (name: 'addresses' | 'look' | 'documents' | 'devices') =>
  async ({ page, t }: Visit) => {
    await page.getByRole('tab', { name: new RegExp(`^${t.domains.tabs[name]}`) }).click()
    await expect(page.locator(`[data-panel=${name}]`)).toBeVisible()
  }

export const rows: Rows = {
  PlatformDomains: [
    {
      as: 'administrator',
      open: path,
      states: {
        'a new one, filled in wrong': {
          texts: true,
          reach: async ({ page, t }) => {
            await page.getByRole('button', { name: t.domains.create }).click()
            const dialog = page.getByRole('dialog')
            await dialog.getByLabel(t.domains.host, { exact: true }).fill('https://partners.example.com')
            await dialog.getByRole('button', { name: t.ui.create, exact: true }).click()
            await expect(dialog.getByText(t.errors.errorScheme).first()).toBeVisible()
          },
        },
      },
    },
    { name: 'nothing found', as: 'administrator', open: `${path}?filter[search]=nothing-like-it` },
  ],
  PlatformDomain: [
    {
      as: 'administrator',
      open: card,
      states: {
        addresses: { texts: true, reach: section('addresses') },
        look: { texts: true, reach: section('look') },
        documents: { texts: true, reach: section('documents') },
        devices: section('devices'),
        'texts with errors': async ({ page, t }) => {
          await page.getByRole('tab', { name: t.domains.tabs.texts }).click()
          await page.getByLabel(t.domains.projectTitle, { exact: true }).first().fill('')
          await page.getByRole('button', { name: t.ui.saveBar.save, exact: true }).click()
          await expect(page.getByText(t.errors.errorEmpty).first()).toBeVisible()
        },
      },
    },
    { name: 'history', as: 'administrator', open: `${card}?tab=history` },
    { texts: true, name: 'to somebody who only looks', as: 'auditor', open: card },
    { name: 'unknown', as: 'administrator', open: `${path}/00000000-0000-4000-8000-000000000000`, refused: true },
  ],
}
