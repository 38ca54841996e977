import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { outboxDeliveries } from '@/db/schema/operations'
import { expect } from './fixtures'
import { eventObject, forgetEvents, giveUp, statesOfEvents } from './given-up-event'
import { test } from './lasting-context'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const t = { ...words.overview, ...words.snackbar }
const path = '/platform/setting'

test.afterEach(forgetEvents)

/** The row of this file's event: others may have been given up too. */
const rowOf = (page: Page) =>
  page.getByRole('region', { name: t.events.title }).getByRole('listitem').filter({ hasText: eventObject() })

test('an event that was given up can be skipped after a question, or delivered again', async ({ page, context }) => {
  await giveUp()
  const name = `users ${eventObject()}`
  await asOwn(context, 'administrator', language)
  const link = page.getByRole('link', { name: t.openEvents })
  // the numbers of the overview may be some seconds old
  await expect(async () => {
    await page.goto(path)
    await expect(link).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await link.click()
  await expect(page.getByRole('region', { name: t.events.title })).toBeInViewport()
  const row = rowOf(page)
  await expect(row).toContainText('503')

  await row.getByRole('button', { name: t.events.skipNamed.replace('{event}', name) }).click()
  const question = page.getByRole('alertdialog', { name: t.events.skipTitle.replace('{event}', name) })
  await expect(question).toContainText('e2e-listener')
  await page.keyboard.press('Escape')
  expect(await statesOfEvents()).toEqual(['dead', 'waiting'])
  await row.getByRole('button', { name: t.events.skipNamed.replace('{event}', name) }).click()
  await question.getByRole('button', { name: t.events.skip }).click()
  await expect(page.getByText(t.eventSkip)).toBeVisible()
  expect(await statesOfEvents()).toEqual(['skipped', 'waiting'])
  await expect(row).toBeHidden()
  // the focus isn't lost when the row disappears
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await giveUp()
  await page.reload()
  await row.getByRole('button', { name: t.events.retryNamed.replace('{event}', name) }).click()
  await expect(page.getByText(t.eventRetry, { exact: true })).toBeVisible()
  expect(await statesOfEvents()).toEqual(['waiting', 'waiting'])
  await expect(row).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('a person who decides too late gets a message, and the question closes', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await giveUp()
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  const row = rowOf(page)
  await row.getByRole('button', { name: t.events.skip }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toBeVisible()
  // somebody else decides first
  await db().update(outboxDeliveries).set({ state: 'skipped' }).where(eq(outboxDeliveries.entityId, eventObject()))
  await question.getByRole('button', { name: t.events.skip }).click()
  await expect(question).toBeHidden()
  await expect(page.getByText(t.eventSkipError)).toBeVisible()
  await expect(page.getByText(words.ui.changedMeanwhile)).toBeVisible()
  await expect(row).toBeHidden()
})

test('people who may only read see the list without buttons', { tag: '@full' }, async ({ page, context }) => {
  await giveUp()
  await asOwn(context, 'auditor', language)
  await page.goto(path)
  const row = rowOf(page)
  await expect(row).toBeVisible()
  await expect(row.getByRole('button')).toHaveCount(0)
})
