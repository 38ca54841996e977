import { expect } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { integrationSyncs } from '@/db/schema/integration'
import type { Rows, Visit } from '../row'

const path = '/platform/setting/integration'

/** Opens the card of an exchange. */
const card =
  (key: string, tab = '') =>
  async ({ page }: Visit) => {
    const [row] = await db()
      .select({ id: integrationSyncs.id })
      .from(integrationSyncs)
      .where(eq(integrationSyncs.key, key))
    await page.goto(`${path}/synchronization/${row?.id}${tab}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }

export const rows: Rows = {
  PlatformIntegration: [{ as: 'admin', open: path, leadsTo: 'PlatformIntegrationMonitoring' }],
  PlatformIntegrationMonitoring: [
    { as: 'admin', open: `${path}/monitoring` },
    { name: 'nothing found', as: 'admin', open: `${path}/monitoring?filter[key]=roles.export&filter[status]=wait` },
    { name: 'refused to somebody without a method', as: 'services', open: `${path}/monitoring`, refused: true },
  ],
  PlatformIntegrationSynchronization: [
    { as: 'admin', open: `${path}/synchronization` },
    { name: 'refused to somebody without a method', as: 'services', open: `${path}/synchronization`, refused: true },
  ],
  PlatformIntegrationSync: [
    {
      as: 'admin',
      open: card('contractors.import'),
      states: {
        'its connection being edited': async ({ page, t }) => {
          await page.getByRole('button', { name: `${t.ui.edit}: ${t.integration.connection}` }).click()
          await expect(page.getByLabel(t.integration.url, { exact: true })).toBeVisible()
        },
      },
    },
    {
      name: 'with its schedule being edited',
      as: 'admin',
      open: card('users.export'),
      states: {
        'in the form': async ({ page, t }) => {
          await page.getByRole('button', { name: `${t.ui.edit}: ${t.integration.schedule}` }).click()
          await expect(page.getByLabel(t.integration.periodUnit, { exact: true })).toBeVisible()
        },
      },
    },
    { name: 'that nobody has set up', as: 'admin', open: card('roles.export') },
    { name: 'runs', as: 'admin', open: card('contractors.import', '?tab=runs') },
    { name: 'history', as: 'admin', open: card('contractors.import', '?tab=history') },
    { name: 'to somebody who only looks', as: 'auditor', open: card('contractors.import') },
    {
      name: 'unknown',
      as: 'admin',
      open: `${path}/synchronization/00000000-0000-4000-8000-000000000000`,
      refused: true,
    },
  ],
}
