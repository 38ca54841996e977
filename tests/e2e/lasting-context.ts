import type { BrowserContext } from '@playwright/test'
import { test as base } from './fixtures'

/**
 * A test whose context is that of all tests of its process. It keeps what the browser has read and compiled of scripts
 * and styles, as it does for a person who goes from screen to screen; a new context reads and compiles them for each
 * test. Whatever else a test leaves is taken away: pages, routes, cookies and storage.
 */
export const test = base.extend<object, { lasting: BrowserContext }>({
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

  context: async ({ lasting }, use) => {
    await use(lasting)
    // only a page of the address can empty its storage
    await Promise.all(lasting.pages().map((page) => page.evaluate(() => localStorage.clear()).catch(() => undefined)))
    await Promise.all(lasting.pages().map((page) => page.close()))
    await lasting.unrouteAll()
    await lasting.clearPermissions()
    await lasting.clearCookies()
  },
})
