import type { Page } from '@playwright/test'

/** Delays every script of the page until `come` is called, as a slow network or a busy machine does. */
export async function withoutScripts(page: Page) {
  let come = () => {}
  const gate = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route(/\/_next\/static\/.*\.js|\/platform\/script\.js/, async (route) => {
    await gate
    await route.continue().catch(() => undefined)
  })
  return { come, open: (path: string) => page.goto(path, { waitUntil: 'commit' }) }
}
