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
  PlatformIntegration: [{ as: 'administrator', open: path, leadsTo: 'PlatformIntegrationMonitoring' }],
  PlatformIntegrationMonitoring: [
    { as: 'administrator', open: `${path}/monitoring` },
    {
      texts: true,
      name: 'nothing found',
      as: 'administrator',
      open: `${path}/monitoring?filter[key]=roles.export&filter[status]=wait`,
    },
    { name: 'refused to somebody without a method', as: 'employee', open: `${path}/monitoring`, refused: true },
  ],
  PlatformIntegrationSynchronization: [
    { as: 'administrator', open: `${path}/synchronization` },
    { name: 'refused to somebody without a method', as: 'employee', open: `${path}/synchronization`, refused: true },
  ],
  PlatformIntegrationSync: [
    {
      as: 'administrator',
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
      as: 'administrator',
      open: card('users.export'),
      states: {
        'in the form': async ({ page, t }) => {
          await page.getByRole('button', { name: `${t.ui.edit}: ${t.integration.schedule}` }).click()
          await expect(page.getByLabel(t.integration.periodUnit, { exact: true })).toBeVisible()
        },
      },
    },
    { texts: true, name: 'that nobody has set up', as: 'administrator', open: card('roles.export') },
    { name: 'runs', as: 'administrator', open: card('contractors.import', '?tab=runs') },
    { name: 'history', as: 'administrator', open: card('contractors.import', '?tab=history') },
    { name: 'to somebody who only looks', as: 'auditor', open: card('contractors.import') },
    {
      name: 'unknown',
      as: 'administrator',
      open: `${path}/synchronization/00000000-0000-4000-8000-000000000000`,
      refused: true,
    },
  ],
}
