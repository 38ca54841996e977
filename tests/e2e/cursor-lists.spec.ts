import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { db } from '@/db/client'
import { sessions } from '@/db/schema'
import { digest } from '@/lib/base/crypto/encryption'
import { currentKeyId } from '@/lib/sign-in/sessions/cookie'
import { baseDomainId } from '../factories/agreements'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { speak } from './people'
import { asPerson, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { ui, gallery } = words
const counted = { ru: 'Всего больше 10\u00a0000', en: 'More than 10,000 total' }[language]
const path = '/platform/dev/ui/list'
const names = (page: Page) => page.getByRole('rowheader')
const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)
test.beforeEach(({ context, baseURL }) => speak(context, language, baseURL))

test('back and forward work without page numbers, by keyboard and without scripts', { tag: '@full' }, async ({
  page,
  browser,
  baseURL,
  axe,
}) => {
  await page.goto(`${path}?filter[used]=true&meta[perPage]=10`)
  await takenOver(page)
  await page.getByRole('link', { name: gallery.aliases.byCursor }).press('Enter')
  const pager = page.getByRole('navigation', { name: ui.list.pages })
  const backLink = pager.getByRole('link', { name: ui.list.back })
  const forward = pager.getByRole('link', { name: ui.list.forward })
  await expect(pager).toContainText(counted)
  const second = await names(page).allTextContents()
  expect(second).toHaveLength(10)

  await forward.press('Enter')
  await expect(names(page)).toHaveCount(5)
  expect([param(page, 'filter[used]'), param(page, 'meta[perPage]')]).toEqual(['true', '10'])
  await expect(forward).toBeFocused()
  await expect(forward).toHaveAttribute('aria-disabled', 'true')
  await axe(page)
  await backLink.press('Enter')
  await expect(names(page)).toHaveText(second)
  await expect(backLink).toBeFocused()
  expect([param(page, 'meta[after]'), param(page, 'meta[page]')]).toEqual([null, null])

  const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: process.env.PUBLIC_URL })
  await speak(plain, language, baseURL)
  const still = await plain.newPage()
  await still.goto(page.url())
  await expect(names(still)).toHaveText(second)
  const steps = still.getByRole('navigation', { name: ui.list.pages })
  await steps.getByRole('link', { name: ui.list.forward }).click()
  await expect(names(still)).toHaveCount(5)
  await steps.getByRole('link', { name: ui.list.back }).click()
  await expect(names(still)).toHaveText(second)
  await plain.close()
})

test('more sessions than one page: forward and back work; a cursor of another sort leads to the beginning', async ({
  page,
  context,
  database: _,
}) => {
  const { id: userId, login } = await createUser()
  const domainId = await baseDomainId()
  const now = Date.now()
  await db()
    .insert(sessions)
    .values(
      Array.from({ length: 11 }, (_, n) => ({
        userId,
        domainId,
        createdAt: new Date(now - n * 60_000),
        lastAccessAt: new Date(now - n * 60_000),
        expiresAt: new Date(now + 3_600_000),
        ip: '127.0.0.1',
        browser: 'Chrome 140',
        system: 'Linux',
        deviceType: 'desktop',
        deviceHash: digest(randomUUID()),
        sealedBy: currentKeyId(),
      })),
    )
  await asPerson(context, login, language)
  await page.goto('/platform/profile/sessions?meta[perPage]=10')
  await takenOver(page)
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(10)
  await page.getByRole('link', { name: ui.list.forward }).click()
  await expect(page).toHaveURL(/meta%5Bafter%5D=/)
  await expect(cards).toHaveCount(2)
  const address = page.url()
  await page.getByRole('link', { name: ui.list.back }).click()
  await expect(cards).toHaveCount(10)
  await page.goto(`${address}&sort=asc`)
  await expect(page).not.toHaveURL(/meta%5Bafter%5D=/)
  expect(param(page, 'sort')).toBe('asc')
  await expect(cards).toHaveCount(10)
})

test('on a phone both steps are beside each other below the count, with equal widths', { tag: '@full' }, async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto(path)
  const pager = page.getByRole('navigation', { name: ui.list.pages })
  const boxOf = async (name: string) => {
    const box = await pager.getByRole('link', { name }).boundingBox()
    if (!box) throw new Error(`${name} is not on the page`)
    return box
  }
  const [back, forward] = [await boxOf(ui.list.back), await boxOf(ui.list.forward)]
  expect(back.y).toBe(forward.y)
  expect(Math.abs(back.width - forward.width)).toBeLessThan(1)
})

test('a step by mouse scrolls to the beginning of the new page; a step by key doesn’t scroll', {
  tag: '@full',
}, async ({ page }) => {
  await page.goto(path)
  await takenOver(page)
  const pager = page.getByRole('navigation', { name: ui.list.pages })
  const first = await names(page).first().textContent()
  await pager.getByRole('link', { name: ui.list.forward }).click()
  await expect(names(page).first()).not.toHaveText(first ?? '')
  await expect(names(page).first()).toBeInViewport()
  await pager.getByRole('link', { name: ui.list.back }).focus()
  const before = await page.evaluate(() => window.scrollY)
  await page.keyboard.press('Enter')
  await expect(names(page).first()).toHaveText(first ?? '')
  await expect(pager.getByRole('link', { name: ui.list.back })).toBeFocused()
  expect(await page.evaluate(() => window.scrollY)).toBe(before)
})
