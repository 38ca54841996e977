import { expect } from '@playwright/test'
import { forgetEvents, giveUp } from '../given-up-event'
import type { Row, State } from './row'

const menu: State = {
  widths: [360, 320],
  async reach({ page, t }) {
    await page.getByRole('button', { name: t.shell.openMenu }).click()
    await expect(page.getByRole('dialog', { name: t.shell.platform })).toBeVisible()
  },
}

export const overview: Row[] = [
  { as: 'admin', open: '/platform/setting', states: { 'the menu on a phone': menu } },
  { name: 'refused to somebody without a method', as: 'services', open: '/platform/setting' },
  {
    name: 'an event that was given up',
    as: 'admin',
    async open({ page, t, later }) {
      later(forgetEvents)
      await giveUp()
      // what the overview counts is some seconds old
      await expect(async () => {
        await page.goto('/platform/setting')
        await expect(page.getByRole('region', { name: t.overview.events.title })).toBeVisible({ timeout: 1_000 })
      }).toPass()
    },
  },
]

export const deviceTypes: Row[] = [
  {
    as: 'admin',
    open: '/platform/setting/device-types',
    states: {
      'a new one': async ({ page, t }) => {
        await page.getByRole('button', { name: t['device-types'].create }).click()
        await expect(page.getByRole('dialog')).toBeVisible()
      },
    },
  },
]

const aliases = '/platform/setting/network-aliases'

export const networkAliases: Row[] = [
  {
    as: 'admin',
    open: aliases,
    states: {
      'a new one, filled in wrong': async ({ page, t }) => {
        const words = t['network-aliases']
        await page.getByRole('button', { name: words.create }).first().click()
        const dialog = page.getByRole('dialog', { name: words.createTitle })
        await dialog.getByRole('button', { name: words.addIp }).click()
        await dialog.getByLabel(words.ip).nth(1).fill('10.0.0.999')
        await dialog.getByRole('button', { name: t.ui.create, exact: true }).click()
        await expect(dialog.getByLabel(words.ip).nth(1)).toHaveAttribute('aria-invalid', 'true')
      },
    },
  },
  {
    name: 'a bare dialog',
    as: 'admin',
    open: aliases,
    states: {
      'a new one': async ({ page, t }) => {
        await page.getByRole('button', { name: t['network-aliases'].create }).first().click()
        await expect(page.getByRole('dialog')).toBeVisible()
      },
    },
  },
  { name: 'nothing found', as: 'admin', open: `${aliases}?filter[search]=nothing-like-it` },
]
