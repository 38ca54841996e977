import { eq, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { outboxDeliveries, outboxEvents } from '@/db/schema/operations'
import { invalidate } from '@/lib/kernel/cache'
import overview_en from '@/messages/en/overview.json' with { type: 'json' }
import snackbar_en from '@/messages/en/snackbar.json' with { type: 'json' }
import overview_ru from '@/messages/ru/overview.json' with { type: 'json' }
import snackbar_ru from '@/messages/ru/snackbar.json' with { type: 'json' }
import ui from '@/messages/ru/ui.json' with { type: 'json' }
import { expect, test } from './fixtures'
import { languages } from './sign-in-page'
import { fitsItsWidth, signInAs } from './signed-in'

const words = {
  ru: { ...overview_ru.overview, ...snackbar_ru.snackbar },
  en: { ...overview_en.overview, ...snackbar_en.snackbar },
}
const path = '/platform/setting'
const object = 'e2e-0198f3a2-7c1e-7d2a-9b1f-5a0c4de2b7f1'

const forget = () => db().delete(outboxEvents).where(like(outboxEvents.entityId, 'e2e-%'))
test.afterEach(forget)

/** Two events of one object, of which the first was given up. No handler of the platform has this name. */
async function giveUp() {
  await forget()
  const event = { topic: 'users', type: 'update', entity: 'users', entityId: object, payload: {}, requestId: 'e2e' }
  const stored = await db()
    .insert(outboxEvents)
    .values([event, event].map((each) => ({ ...each, date: new Date() })))
    .returning()
  const delivery = { handler: 'e2e-listener', entity: 'users', entityId: object }
  await db()
    .insert(outboxDeliveries)
    .values(
      stored.map(({ id }, at) => ({
        ...delivery,
        eventId: id,
        ...(at === 0
          ? {
              state: 'dead' as const,
              attempts: 14,
              error: 'TypeError: the receiver answered 503 to each of the tries (ECONNREFUSED)',
              finishedAt: new Date(),
            }
          : {}),
      })),
    )
  // the overview of some seconds ago knows nothing of it
  await invalidate(db(), 'overview')
}
const stateOf = async () =>
  (
    await db()
      .select({ state: outboxDeliveries.state })
      .from(outboxDeliveries)
      .where(eq(outboxDeliveries.entityId, object))
      .orderBy(outboxDeliveries.eventId)
  ).map(({ state }) => state)

for (const language of languages) {
  const t = words[language]
  const name = `users ${object}`

  test(`an event that was given up is skipped after a question, or delivered again, ${language}`, async ({
    page,
    context,
  }) => {
    await giveUp()
    await signInAs(context, 'admin', language)
    const link = page.getByRole('link', { name: t.openEvents })
    // what the overview counts is some seconds old
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
    expect(await stateOf()).toEqual(['dead', 'waiting'])
    await section.getByRole('button', { name: t.events.skipNamed.replace('{event}', name) }).click()
    await question.getByRole('button', { name: t.events.skip }).click()
    await expect(page.getByText(t.eventSkip)).toBeVisible()
    expect(await stateOf()).toEqual(['skipped', 'waiting'])
    await expect(section).toBeHidden()
    // the focus doesn't fall off the page together with the row
    await expect(page.locator('#main')).toBeFocused()

    await giveUp()
    await page.reload()
    await section.getByRole('button', { name: t.events.retryNamed.replace('{event}', name) }).click()
    await expect(page.getByText(t.eventRetry, { exact: true })).toBeVisible()
    expect(await stateOf()).toEqual(['waiting', 'waiting'])
    await expect(section).toBeHidden()
    await expect(page.locator('#main')).toBeFocused()
  })
}

test('somebody who decides too late is told so, and the question closes', async ({ page, context }) => {
  const { events: t, ...notices } = words.ru
  await giveUp()
  await signInAs(context, 'admin')
  await page.goto(path)
  const section = page.getByRole('region', { name: t.title })
  await section.getByRole('button', { name: t.skip }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toBeVisible()
  // somebody else is faster
  await db().update(outboxDeliveries).set({ state: 'skipped' }).where(eq(outboxDeliveries.entityId, object))
  await question.getByRole('button', { name: t.skip }).click()
  await expect(question).toBeHidden()
  await expect(page.getByText(notices.eventSkipError)).toBeVisible()
  await expect(page.getByText(ui.ui.conflict)).toBeVisible()
  await expect(section).toBeHidden()
})

test('whoever may only read sees the list without buttons', async ({ page, context }) => {
  await giveUp()
  await signInAs(context, 'auditor')
  await page.goto(path)
  const section = page.getByRole('region', { name: words.ru.events.title })
  await expect(section).toBeVisible()
  await expect(section.getByRole('button')).toHaveCount(0)
})

for (const scheme of ['light', 'dark'] as const)
  test(`the list fits every width and is accessible, ${scheme}`, async ({ page, context, axe }) => {
    await giveUp()
    await page.emulateMedia({ colorScheme: scheme })
    await signInAs(context, 'admin')
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(path)
      await expect(page.getByRole('region', { name: words.ru.events.title })).toBeVisible()
      expect(await page.evaluate(fitsItsWidth)).toBe(true)
    }
    await axe(page)
  })
