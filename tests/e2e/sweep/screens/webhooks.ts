import { expect } from '@playwright/test'
import { failing, hearing, putLog, putWebhook, webhookCard, webhooksOf } from '../../webhook-rows'
import type { Rows, Visit } from '../row'

type Made = Awaited<ReturnType<typeof putWebhook>>
type Values = Parameters<typeof putWebhook>[1]

/** Opens the tab of an application with these webhooks. */
const tab =
  (webhooks: readonly Values[], methods?: readonly string[]) =>
  async ({ page, later }: Visit) => {
    const application = await hearing(methods)
    later(application.remove)
    for (const values of webhooks) {
      const { id } = await putWebhook(application.id, values)
      if (values?.disabledReason === undefined) await putLog(id)
    }
    await page.goto(webhooksOf(application.id))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }

/** Opens the card of a webhook. */
const card =
  (values: Values, { search = '', fill }: { search?: string; fill?: (made: Made) => unknown } = {}) =>
  async ({ page, later }: Visit) => {
    const application = await hearing()
    later(application.remove)
    const made = await putWebhook(application.id, values)
    await fill?.(made)
    await page.goto(webhookCard(made) + search)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
const log = ({ id }: Made) => putLog(id)

const openMenu = ({ page }: Visit) => page.locator('main header [data-row-action]').last().click()

export const webhooksTab: Rows[string] = [
  { name: 'webhooks, none yet', as: 'administrator', open: tab([]) },
  {
    texts: true,
    name: 'webhooks',
    as: 'administrator',
    showsKeys: true,
    open: tab([{ enabled: true }, { name: 'Архив', disabledReason: 'gone' }, { name: 'Отчёты' }]),
    states: {
      'a new one, filled in wrong': async ({ page, t }) => {
        await page.getByRole('button', { name: t.webhooks.create }).click()
        const dialog = page.getByRole('dialog')
        await dialog.locator('summary').click()
        await dialog.getByRole('button', { name: t.ui.create, exact: true }).click()
        await expect(dialog.getByText(t.errors.errorEmpty).first()).toBeVisible()
      },
    },
  },
  { texts: true, name: 'webhooks of an application that may hear of nothing', as: 'administrator', open: tab([], []) },
  { name: 'webhooks to somebody who only looks', as: 'auditor', open: tab([{}]) },
]

export const rows: Rows = {
  PlatformApplicationWebhook: [
    {
      as: 'administrator',
      open: card({ enabled: true }, { fill: log }),
      states: {
        'the question before a new secret': async ({ page, t }) => {
          await page.getByRole('button', { name: t.webhooks.rotate }).click()
          await expect(page.getByRole('dialog').getByText(t.webhooks.rotateAsk)).toBeVisible()
        },
        'with a new secret': async ({ page, t }) => {
          await page.getByRole('dialog').getByRole('button', { name: t.webhooks.rotateVerb }).click()
          await expect(page.getByRole('dialog').getByText(t.webhooks.secretOnce)).toBeVisible()
        },
      },
    },
    {
      name: 'with two secrets and a test',
      as: 'administrator',
      open: card({ enabled: true, url: 'http://127.0.0.1:1/' }),
      states: {
        'that nobody answered': {
          texts: true,
          reach: async (visit) => {
            const { page, t } = visit
            await page.getByRole('button', { name: t.webhooks.test }).click()
            await page.getByRole('dialog').getByRole('button', { name: t.webhooks.testVerb }).click()
            await expect(page.getByRole('dialog').getByText(t.errors.webhookConnection)).toBeVisible()
          },
        },
      },
    },
    {
      name: 'whose messages don’t arrive, of which some may not be heard',
      as: 'administrator',
      showsKeys: true,
      open: card({ enabled: true, types: ['user.updated', 'contractor.deleted'] }, { fill: ({ id }) => failing(id) }),
      states: {
        'its form': {
          texts: true,
          reach: async ({ page, t }) => {
            await page.getByRole('button', { name: `${t.ui.edit}: ${t.webhooks.what}` }).click()
            await expect(page.getByLabel(t.webhooks.url, { exact: true })).toBeVisible()
          },
        },
      },
    },
    {
      name: 'that the platform disabled',
      as: 'administrator',
      open: card({ disabledReason: 'failed' }),
      states: {
        'the question before it is enabled': async ({ page, t }) => {
          await page.getByRole('button', { name: t.ui.enable }).click()
          await expect(page.getByRole('alertdialog')).toBeVisible()
        },
      },
    },
    {
      name: 'and a span to replay',
      as: 'administrator',
      open: card({ enabled: true }),
      states: {
        'in the dialog': async (visit) => {
          const { page, t } = visit
          const button = page.getByRole('button', { name: t.webhooks.replaySpan })
          if (await button.isVisible()) await button.click()
          else {
            await openMenu(visit)
            await page.getByRole('menuitem', { name: t.webhooks.replaySpan }).click()
          }
          await expect(page.getByRole('dialog').getByLabel(t.webhooks.to, { exact: true })).toBeVisible()
        },
      },
    },
    { texts: true, name: 'log, empty', as: 'administrator', open: card({}, { search: '?tab=deliveries' }) },
    {
      texts: true,
      name: 'log',
      as: 'administrator',
      showsKeys: true,
      open: card({ enabled: true }, { search: '?tab=deliveries', fill: log }),
      states: {
        'a message': async ({ page, t }) => {
          await page.locator('main tbody [data-row-action], main tbody button').last().click()
          await page.getByRole('menuitem', { name: t.ui.view }).click()
          await expect(page.getByRole('dialog').getByText('webhook-id', { exact: true })).toBeVisible()
        },
      },
    },
    {
      name: 'log, nothing found',
      as: 'administrator',
      open: card({}, { search: '?tab=deliveries&filter[status]=dropped' }),
    },
    { name: 'history', as: 'administrator', open: card({}, { search: '?tab=history' }) },
    { name: 'to somebody who only looks', as: 'auditor', open: card({ enabled: true }, { fill: log }) },
    {
      name: 'log to somebody who only looks',
      as: 'auditor',
      showsKeys: true,
      open: card({}, { search: '?tab=deliveries', fill: log }),
    },
    {
      name: 'unknown',
      as: 'administrator',
      open: '/platform/setting/applications/00000000-0000-4000-8000-000000000000/webhooks/00000000-0000-4000-8000-000000000000',
      refused: true,
    },
  ],
}
