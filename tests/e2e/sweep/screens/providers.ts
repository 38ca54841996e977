import { expect } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { providers } from '@/db/schema/people'
import { addProvider } from '../offered-provider'
import type { Rows, Visit } from '../row'

const path = '/platform/setting/providers'

/** Opens the card of a demo directory. */
const card =
  (type: 'keycloak' | 'wapps', tab = '') =>
  async ({ page }: Visit) => {
    const [row] = await db().select({ id: providers.id }).from(providers).where(eq(providers.type, type))
    await page.goto(`${path}/${row?.id}${tab}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }

/** Opens the card of an OpenID provider, which the demo doesn't have. */
async function openidCard(visit: Visit) {
  await visit.page.goto(`${path}/${await addProvider(visit, { offered: false })}`)
  await expect(visit.page.getByRole('heading', { level: 1 })).toBeVisible()
}

export const rows: Rows = {
  PlatformProviders: [
    {
      as: 'administrator',
      open: path,
      states: {
        'a new one, filled in wrong': async ({ page, t }) => {
          await page.getByRole('button', { name: t.providers.create }).click()
          const dialog = page.getByRole('dialog')
          await dialog.getByRole('button', { name: t.ui.create, exact: true }).click()
          await expect(dialog.getByText(t.errors.errorEmpty).first()).toBeVisible()
        },
      },
    },
    { name: 'nothing found', as: 'administrator', open: `${path}?filter[search]=nothing-like-it` },
    { name: 'refused to somebody without a method', as: 'employee', open: path, refused: true },
  ],
  PlatformProvider: [
    {
      as: 'administrator',
      open: card('keycloak'),
      states: {
        'its connection being edited': async ({ page, t }) => {
          await page.getByRole('button', { name: `${t.ui.edit}: ${t.providers.connection}` }).click()
          await expect(page.getByLabel(t.providers.clientId, { exact: true })).toBeVisible()
        },
      },
    },
    {
      texts: true,
      name: 'synchronization with faults',
      as: 'administrator',
      open: card('keycloak', '?tab=synchronization'),
      states: {
        'the schedule being edited': async ({ page, t }) => {
          await page.getByRole('button', { name: `${t.ui.edit}: ${t['provider-sync'].schedule}` }).click()
          await expect(page.getByLabel(t['provider-sync'].periodUnit, { exact: true })).toBeVisible()
        },
      },
    },
    { name: 'a decision that is waited for', as: 'administrator', open: card('wapps', '?tab=synchronization') },
    {
      texts: true,
      name: 'mappers',
      as: 'administrator',
      open: card('keycloak', '?tab=mappers'),
      states: {
        'a new one, filled in wrong': {
          texts: true,
          reach: async ({ page, t }) => {
            await page.getByRole('button', { name: t['provider-mappers'].create }).click()
            const dialog = page.getByRole('dialog')
            await dialog.getByRole('button', { name: t.ui.create, exact: true }).click()
            await expect(dialog.getByText(t.errors.errorEmpty).first()).toBeVisible()
          },
        },
      },
    },
    {
      name: 'runs',
      as: 'administrator',
      open: card('keycloak', '?tab=runs'),
      states: {
        'one of them': async ({ page, t }) => {
          await page.getByRole('table').getByRole('button').last().click()
          await page.getByRole('menuitem', { name: t['provider-sync'].open }).click()
          await expect(page.getByRole('dialog').getByRole('heading', { level: 3 }).first()).toBeVisible()
        },
      },
    },
    { name: 'of an OpenID provider', as: 'administrator', open: openidCard },
    { name: 'history', as: 'administrator', open: card('keycloak', '?tab=history') },
    { name: 'to somebody who only looks', as: 'auditor', open: card('wapps', '?tab=synchronization') },
    { name: 'unknown', as: 'administrator', open: `${path}/00000000-0000-4000-8000-000000000000`, refused: true },
  ],
}
