import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { outboxDeliveries } from '@/db/schema/operations'
import { expect, test } from './fixtures'
import { forgetEvents, giveUp, object, statesOfEvents } from './given-up-event'
import { asPerson } from './signed-in'
import { ru } from './words'

const t = { ...ru.overview, ...ru.snackbar }
const path = '/platform/setting'

test.afterEach(forgetEvents)

const name = `users ${object}`

test('an event that was given up can be skipped after a question, or delivered again', async ({ page, context }) => {
  await giveUp()
  await asPerson(context, 'admin')
  const link = page.getByRole('link', { name: t.openEvents })
  // the numbers of the overview may be some seconds old
  await expect(async () => {
    await page.goto(path)
    await expect(link).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await link.click()
  const section = page.getByRole('region', { name: t.events.title })
  await expect(section).toBeInViewport()
  await expect(section).toContainText('503')

  await section.getByRole('button', { name: t.events.skipNamed.replace('{event}', name) }).click()
  const question = page.getByRole('alertdialog', { name: t.events.skipTitle.replace('{event}', name) })
  await expect(question).toContainText('e2e-listener')
  await page.keyboard.press('Escape')
  expect(await statesOfEvents()).toEqual(['dead', 'waiting'])
  await section.getByRole('button', { name: t.events.skipNamed.replace('{event}', name) }).click()
  await question.getByRole('button', { name: t.events.skip }).click()
  await expect(page.getByText(t.eventSkip)).toBeVisible()
  expect(await statesOfEvents()).toEqual(['skipped', 'waiting'])
  await expect(section).toBeHidden()
  // the focus isn't lost when the row disappears
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await giveUp()
  await page.reload()
  await section.getByRole('button', { name: t.events.retryNamed.replace('{event}', name) }).click()
  await expect(page.getByText(t.eventRetry, { exact: true })).toBeVisible()
  expect(await statesOfEvents()).toEqual(['waiting', 'waiting'])
  await expect(section).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('a person who decides too late gets a message, and the question closes', async ({ page, context }) => {
  await giveUp()
  await asPerson(context, 'admin')
  await page.goto(path)
  const section = page.getByRole('region', { name: t.events.title })
  await section.getByRole('button', { name: t.events.skip }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toBeVisible()
  // somebody else decides first
  await db().update(outboxDeliveries).set({ state: 'skipped' }).where(eq(outboxDeliveries.entityId, object))
  await question.getByRole('button', { name: t.events.skip }).click()
  await expect(question).toBeHidden()
  await expect(page.getByText(t.eventSkipError)).toBeVisible()
  await expect(page.getByText(ru.ui.changedMeanwhile)).toBeVisible()
  await expect(section).toBeHidden()
})

test('people who may only read see the list without buttons', async ({ page, context }) => {
  await giveUp()
  await asPerson(context, 'auditor')
  await page.goto(path)
  const section = page.getByRole('region', { name: t.events.title })
  await expect(section).toBeVisible()
  await expect(section.getByRole('button')).toHaveCount(0)
})
