import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { leavesNothing } from './nothing-left'
import { speak } from './people'
import { reset, store } from './shell-page'
import { asOwn, takenOver } from './signed-in'
import { spokenIn } from './spoken'

leavesNothing()

const { language, words } = spokenIn(import.meta.filename)
const counter = 'https://metrics.example/counter.js'
test.afterEach(() => reset('metricsScript'))

const counted = (page: Page) => page.evaluate(() => (window as { counted?: number }).counted ?? 0)

test('the analytics counter runs where people read, after the consent, and never where they type', async ({
  page,
  context,
  baseURL,
  database: _,
}) => {
  await speak(context, language, baseURL)
  const hits: string[] = []
  await context.route('https://metrics.example/**', (route) => {
    hits.push(new URL(route.request().url()).pathname)
    const body = 'window.counted = (window.counted ?? 0) + 1; fetch("https://metrics.example/hit")'
    return route.fulfill({ contentType: 'text/javascript', headers: { 'access-control-allow-origin': '*' }, body })
  })
  await store({ metricsScript: counter })
  // the server reads its settings anew when it is notified
  const info = async () => (await page.request.get('/api/v1/platform/ui/project/info')).json()
  await expect.poll(info).toMatchObject({ metrics: counter })
  await page.goto('/platform/law/cookies')
  const accept = page.getByRole('button', { name: words.common.cookie.accept })
  await expect(accept).toBeVisible()
  expect(hits).toEqual([])
  await accept.click()
  await expect.poll(() => hits).toEqual(['/counter.js', '/hit'])
  await page.reload()
  await expect.poll(() => counted(page)).toBe(1)
  // a link to where something is typed loads a whole page, which ends the script
  await page.getByRole('link', { name: words.common.signIn, exact: true }).click()
  await takenOver(page)
  await expect(page).toHaveURL(/\/platform\/login/)
  expect(await counted(page)).toBe(0)
  await expect(page.locator('script[data-metrics]')).toHaveCount(0)
  // back to where people read is a whole page too, with the counter
  await page.locator('a[href^="/platform/law/"]').first().click()
  await expect(page).toHaveURL(/\/platform\/law\//)
  await expect.poll(() => counted(page)).toBe(1)
  // an address that contains a secret must not reach the counter
  await page.goto(`/platform/login?path=/platform/invitation/${randomUUID()}`)
  await expect(page.locator('h1')).toBeVisible()
  await expect(page.locator('script[data-metrics]')).toHaveCount(0)
  expect(await counted(page)).toBe(0)
  await asOwn(context, 'noServices', language)
  await page.goto('/platform/profile')
  await takenOver(page)
  await expect(page.locator('script[data-metrics]')).toHaveCount(0)
  expect(await counted(page)).toBe(0)
})
