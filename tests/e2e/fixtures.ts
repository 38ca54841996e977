import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, ConsoleMessage, Page, Response, WebError } from '@playwright/test'
import { and, desc, eq, gt } from 'drizzle-orm'
import { db } from '@/db/client'
import { messages } from '@/db/schema/operations'
import { messageContent } from '@/lib/base/mail-and-sms/send-message'
import { redis, redisReady } from '@/lib/base/redis/redis'
import { test as base, expect } from './turn'

type Message = { subject: string; text: string; html: string; code: string }
type Fixtures = {
  /** Console messages that a test causes on purpose. */
  provoked: RegExp | undefined
  /** Fails the test when a page logged an error or a request got a 5xx. */
  faultless: undefined
  /** Lets each test enter as many wrong codes as an address may, because all tests have the same address. */
  fresh: undefined
  /** Fails if axe finds anything on the page. */
  axe(page: Page): Promise<void>
  /**
   * Waits until so many mails or SMS (by default one) were sent to the recipient since the test began. Returns the
   * newest.
   */
  outbox(recipient: string, count?: number): Promise<Message>
}

/** A copy of a page in which no script runs: axe needs timers, and such a page has none. None of its own scripts runs. */
async function copyWithTimers(page: Page, browser: Browser): Promise<Page> {
  const [address, body] = [page.url(), await page.content()]
  const context = await browser.newContext({
    viewport: page.viewportSize(),
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
    javaScriptEnabled: true,
  })
  const copy = await context.newPage()
  await copy.route(/\.js(\?|$)/, (route) => route.abort())
  await copy.route(address, (route) => route.fulfill({ contentType: 'text/html', body }))
  await copy.goto(address)
  return copy
}

// Chromium logs each refused call. These are answers and no faults; answers 5xx are counted separately
const refusedCall = /^Failed to load resource: the server responded with a status of 4\d\d/

type OfProcess = {
  /** A context for all tests of lasting-context.ts; it is made when the first of them runs. */
  lasting: BrowserContext
}

export const test = base.extend<Fixtures, OfProcess>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are asked for from the pattern
  baseURL: async ({}, use) => use(process.env.PUBLIC_URL),

  // declared here, so that tests with and without it can share a process
  lasting: [
    async ({ browser }, use) => {
      const context = await browser.newContext({
        baseURL: process.env.PUBLIC_URL,
        locale: 'ru-RU',
        timezoneId: 'Europe/Moscow',
        serviceWorkers: 'block',
        reducedMotion: 'reduce',
      })
      await use(context)
      await context.close()
    },
    { scope: 'worker' },
  ],

  provoked: [undefined, { option: true }],

  faultless: [
    async ({ context, provoked }, use, info) => {
      const faults: string[] = []
      const onConsole = (message: ConsoleMessage) => {
        if (message.type() === 'error' && !refusedCall.test(message.text()) && !provoked?.test(message.text()))
          faults.push(`console: ${message.text()}`)
      }
      // React empties the stack of what it could mend
      const onError = (error: WebError) =>
        void faults.push(`error: ${error.error().stack || error.error()} at ${error.page()?.url()}`)
      const onResponse = (response: Response) => {
        if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`)
      }
      context.on('console', onConsole).on('weberror', onError).on('response', onResponse)
      await use(undefined)
      context.off('console', onConsole).off('weberror', onError).off('response', onResponse)
      // what the person saw stands in the report of the failure, because pictures of it stay on the machine
      if (info.status !== info.expectedStatus)
        for (const page of context.pages()) {
          const bodyText = await page
            .locator('body')
            // biome-ignore lint/performance/useDomNodeTextContent: what people see
            .innerText({ timeout: 1_000 })
            .catch(() => '')
          console.log(`${page.url()}\n${bodyText.slice(0, 1_500)}`)
        }
      expect(faults).toEqual([])
    },
    { auto: true },
  ],

  fresh: [
    async ({ database: _ }, use) => {
      if (process.env.REDIS_URL !== 'mock:') {
        await redisReady()
        const keys = await redis().keys('limit:code-*')
        if (keys.length > 0) await redis().del(keys)
      }
      await use(undefined)
    },
    { auto: true },
  ],

  axe: async ({ javaScriptEnabled, browser }, use) =>
    use(async (shown) => {
      const page = javaScriptEnabled === false ? await copyWithTimers(shown, browser) : shown
      const { violations } = await new AxeBuilder({ page })
        // pages have no foreign frames; for these the builder would open another page each time
        .setLegacyMode()
        .options({ resultTypes: ['violations'] })
        .analyze()
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
      if (page !== shown) await page.context().close()
    }),

  outbox: async ({ database: _ }, use) => {
    const since = new Date()
    await use(async (recipient, count = 1) => {
      const all = () =>
        db()
          .select()
          .from(messages)
          .where(and(eq(messages.recipient, recipient), eq(messages.status, 'sent'), gt(messages.createdAt, since)))
          .orderBy(desc(messages.createdAt))
      await expect
        .poll(async () => (await all()).length, { message: `${count} to ${recipient}`, timeout: 10_000 })
        .toBeGreaterThanOrEqual(count)
      const [row] = await all()
      if (!row) throw new Error('the message is gone')
      const content = { subject: '', html: '', ...messageContent(row) }
      return { ...content, code: /\b\d{4,8}\b/.exec(`${content.subject} ${content.text}`)?.[0] ?? '' }
    })
  },
})

export { expect }
