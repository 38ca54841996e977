import { expect, type Locator } from '@playwright/test'

/**
 * Clicks a button that copies a text, and returns that text. The clipboard is emptied before, because all tests of a
 * browser share it: what another one copied could be read while this page is still copying.
 */
export async function copiedBy(button: Locator): Promise<string> {
  const page = button.page()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await button.click()
  const read = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(read).not.toBe('')
  return read()
}
