import { expect } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { messages } from '@/db/schema/operations'
import { failJob, forgetJobs } from '../../../factories/failed-jobs'
import { forgetEvents, giveUp } from '../../given-up-event'
import type { Rows, State } from '../row'

const menu: State = {
  widths: [360, 320],
  async reach({ page, t }) {
    await page.getByRole('button', { name: t.shell.openMenu }).click()
    await expect(page.getByRole('dialog', { name: t.shell.platform })).toBeVisible()
  },
}

export const rows: Rows = {
  Platform: [
    { as: 'administrator', open: '/platform/setting', states: { 'the menu on a phone': menu } },
    { name: 'refused to somebody without a method', as: 'employee', open: '/platform/setting', refused: true },
    {
      texts: true,
      name: 'messages and jobs that failed',
      as: 'administrator',
      async open({ page, t, later }) {
        const values = { kind: 'email', template: 'news', locale: 'ru', content: 'x', status: 'failed' } as const
        const error = 'the mail server answered 550 5.1.1 mailbox unavailable, and said nothing else about it'
        const recipient = `sweep-${crypto.randomUUID()}@polaris.example`
        await db()
          .insert(messages)
          .values([
            { ...values, recipient, attempts: 14, error },
            { ...values, recipient, template: 'signInCode', attempts: 1 },
          ])
        const task = await failJob('Error: connect ECONNREFUSED 127.0.0.1:443', 3)
        later(async () => {
          await db().delete(messages).where(eq(messages.recipient, recipient))
          await forgetJobs(task)
        })
        await page.goto('/platform/setting')
        await expect(page.getByRole('region', { name: t.overview.failedJobs.title })).toBeVisible()
      },
    },
    {
      name: 'an event that was given up',
      as: 'administrator',
      async open({ page, t, later }) {
        later(forgetEvents)
        await giveUp()
        // the numbers of the overview may be some seconds old
        await expect(async () => {
          await page.goto('/platform/setting')
          await expect(page.getByRole('region', { name: t.overview.events.title })).toBeVisible({ timeout: 1_000 })
        }).toPass()
      },
    },
  ],
}
