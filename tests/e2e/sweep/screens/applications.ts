import { expect } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { oidcClients } from '@/db/schema/oidc'
import { applications } from '@/db/schema/platform'
import { pressCreate } from '../../signed-in'
import type { Rows, Visit } from '../row'
import { webhooksTab } from './webhooks'

const path = '/platform/setting/applications'

/** Opens the card of a demo application. */
const card =
  (code: string, tab = '') =>
  async ({ page }: Visit) => {
    const [row] = await db().select({ id: applications.id }).from(applications).where(eq(applications.code, code))
    await page.goto(`${path}/${row?.id}${tab}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }

/** Opens the trial of a demo application's client. */
async function trial({ page }: Visit) {
  const [row] = await db()
    .select({ id: applications.id, clientId: oidcClients.clientId })
    .from(applications)
    .innerJoin(oidcClients, eq(oidcClients.applicationId, applications.id))
    .where(eq(applications.code, 'procurement'))
  await page.goto(`${path}/${row?.id}/trial?client=${row?.clientId}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

export const rows: Rows = {
  PlatformApplications: [
    {
      as: 'administrator',
      open: path,
      states: {
        'a new one, filled in wrong': async ({ page, t }) => {
          await page.getByRole('button', { name: t.applications.create }).click()
          const dialog = page.getByRole('dialog')
          await dialog.getByRole('button', { name: t.ui.create, exact: true }).click()
          await expect(dialog.getByText(t.errors.errorEmpty).first()).toBeVisible()
        },
      },
    },
    { name: 'nothing found', as: 'administrator', open: `${path}?filter[search]=nothing-like-it` },
    { name: 'refused to somebody without a method', as: 'employee', open: path, refused: true },
  ],
  PlatformApplicationsMain: [{ as: 'administrator', open: `${path}/main`, leadsTo: 'PlatformApplications' }],
  PlatformApplicationsInternal: [{ as: 'administrator', open: `${path}/internal` }],
  PlatformApplicationsSessions: [{ as: 'administrator', open: `${path}/sessions` }],
  PlatformApplicationsOrder: [{ as: 'administrator', open: `${path}/order` }],
  PlatformApplication: [
    {
      as: 'administrator',
      open: card('partner'),
      states: {
        'the question before it is deleted': async ({ page, t }) => {
          await page.locator('main header [data-row-action]').last().click()
          await page.getByRole('menuitem', { name: t.applications.delete }).click()
          await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible()
        },
      },
    },
    {
      name: 'its place being edited',
      as: 'administrator',
      open: card('partner'),
      states: {
        'the form': async ({ page, t }) => {
          await page.getByRole('button', { name: `${t.ui.edit}: ${t.applications.whereShown}` }).click()
          await expect(page.getByText(t.applications.noMenuExternal)).toBeVisible()
        },
      },
    },
    {
      texts: true,
      name: 'clients',
      as: 'administrator',
      open: card('partner', '?tab=clients'),
      states: {
        'a new one, filled in wrong': async ({ page, t }) => {
          await pressCreate(page, t.clients.create)
          const dialog = page.getByRole('dialog')
          await dialog.getByRole('button', { name: t.ui.create, exact: true }).click()
          await expect(dialog.getByText(t.errors.errorEmpty).first()).toBeVisible()
        },
      },
    },
    { texts: true, name: 'clients that come with it', as: 'administrator', open: card('procurement', '?tab=clients') },
    { name: 'sessions', as: 'administrator', open: card('partner', '?tab=sessions') },
    { texts: true, name: 'access', as: 'administrator', open: card('procurement', '?tab=access') },
    ...webhooksTab,
    { name: 'history', as: 'administrator', open: card('partner', '?tab=history') },
    { name: 'to somebody who only looks', as: 'auditor', open: card('partner', '?tab=clients') },
    { name: 'unknown', as: 'administrator', open: `${path}/00000000-0000-4000-8000-000000000000`, refused: true },
  ],
  PlatformApplicationTrial: [
    {
      as: 'administrator',
      open: trial,
      states: {
        'its outcome': {
          texts: true,
          reach: async ({ page, t }) => {
            await page.getByRole('button', { name: t['client-trial'].begin, exact: true }).click()
            await expect(page.getByText(t['client-trial'].well)).toBeVisible()
          },
        },
      },
    },
    { name: 'to somebody who only looks', as: 'auditor', open: trial },
  ],
}
