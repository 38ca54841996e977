import { test as base } from './fixtures'

/**
 * A test whose context is that of all tests of its process. It keeps what the browser has read and compiled of scripts
 * and styles, as it does for a person who goes from screen to screen; a new context reads and compiles them for each
 * test. Whatever else a test leaves is taken away: pages, routes, cookies and storage.
 */
export const test = base.extend({
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
