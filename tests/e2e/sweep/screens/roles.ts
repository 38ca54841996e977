import { expect } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { roles } from '@/db/schema/people'
import { pressCreate } from '../../signed-in'
import type { Rows, Visit } from '../row'

const path = '/platform/setting/roles'

/** Opens the page of a shipped role. */
const card =
  (code: string, tab = '') =>
  async ({ page }: Visit) => {
    const [role] = await db().select({ id: roles.id }).from(roles).where(eq(roles.code, code))
    await page.goto(`${path}/${role?.id}${tab}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }

export const rows: Rows = {
  PlatformRoles: [
    {
      as: 'administrator',
      open: path,
      states: {
        'its columns to choose': async ({ page, t }) => {
          await page.getByRole('button', { name: t.ui.list.columns }).click()
          await expect(page.getByRole('menuitemcheckbox').first()).toBeVisible()
        },
        'a new one': async ({ page, t }) => {
          await page.goto(path)
          await pressCreate(page, t.roles.create)
          await expect(page.getByRole('dialog').getByRole('searchbox')).toBeVisible()
        },
        'a new one, filled in wrong': async ({ page, t }) => {
          const dialog = page.getByRole('dialog')
          await dialog.getByRole('button', { name: t.ui.create, exact: true }).click()
          await expect(dialog.getByLabel(t.roles.name, { exact: true })).toHaveAttribute('aria-invalid', 'true')
        },
      },
    },
    {
      name: 'compared',
      as: 'auditor',
      // no other role has the auditor's methods
      open: `${path}?filter[search]=Аудитор`,
      states: {
        'two roles': async ({ page, t }) => {
          await page.locator('main [data-row-action]').first().click()
          await page.getByRole('menuitem', { name: t.roles.compare }).click()
          await page.getByRole('dialog').getByRole('option').first().click()
          await expect(page.getByRole('dialog').getByRole('heading', { level: 3 }).first()).toBeVisible()
        },
      },
    },
    { name: 'nothing found', as: 'administrator', open: `${path}?filter[search]=nothing-like-it` },
  ],
  PlatformRole: [
    {
      as: 'administrator',
      open: card('support'),
      states: {
        'its methods edited': {
          texts: true,
          reach: async ({ page, t }) => {
            await page.getByRole('button', { name: `${t.ui.edit}: ${t.roles.methods}` }).click()
            await page.getByRole('main').getByRole('checkbox').nth(1).click()
            await expect(page.getByText(t.roles.effect.title)).toBeVisible()
          },
        },
      },
    },
    {
      name: 'holders',
      as: 'administrator',
      open: card('support', '?tab=holders'),
      states: {
        'given to somebody': async ({ page, t }) => {
          await page.getByRole('button', { name: t.roles.give }).first().click()
          await expect(page.getByRole('dialog')).toBeVisible()
        },
      },
    },
    {
      name: 'history',
      as: 'administrator',
      open: card('support', '?tab=history&filter[type]=update'),
      states: {
        'who acted': async ({ page, t }) => {
          await page.getByRole('button', { name: t.ui.list.addFilter, exact: true }).click()
          await page.getByRole('button', { name: t.history.view.who, exact: true }).click()
          await expect(page.getByRole('option').first()).toBeVisible()
        },
      },
    },
    { name: 'only looked at', as: 'auditor', open: card('administrator') },
  ],
}
