import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { open, t } from './gallery-page'
import { test as lasting } from './lasting-context'
import { settled } from './signed-in'

const label = t.buttons.secondary
const word = (page: Page) => page.locator('[data-tooltip]')
/** The button that shows only an icon. */
const icon = (page: Page) => page.locator(`button[aria-label="${label}"]`).first()

/** Gives the button the focus of somebody who uses the keyboard. */
async function reach(page: Page) {
  await icon(page).focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(icon(page)).toBeFocused()
}

test.describe('the word of a button that shows only an icon', () => {
  test('comes when the pointer rests on it, stays while the pointer is on the word, and goes with Escape', async ({
    page,
    axe,
  }) => {
    await page.clock.install()
    await open(page)
    await expect(icon(page)).toHaveAccessibleName(label)
    await icon(page).hover()
    await expect(word(page)).toHaveText(label)
    await word(page).hover()
    await expect(word(page)).toBeVisible()
    await icon(page).hover()
    await word(page).hover()
    // longer than it takes to hide a word that the pointer has left
    await page.clock.fastForward(1_000)
    await settled(page)
    await expect(word(page)).toBeVisible()
    await axe(page)
    await page.keyboard.press('Escape')
    await expect(word(page)).toHaveCount(0)
    await icon(page).hover()
    await expect(word(page)).toBeVisible()
    await page.mouse.move(2, 2)
    await expect(word(page)).toHaveCount(0)
  })

  lasting('comes with the focus of the keyboard, and goes with it', { tag: '@full' }, async ({ page }) => {
    await open(page)
    await reach(page)
    await expect(word(page)).toHaveText(label)
    await expect(icon(page)).toHaveAccessibleName(label)
    await page.keyboard.press('Escape')
    await expect(word(page)).toHaveCount(0)
    await expect(icon(page)).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    await expect(word(page)).toHaveText(label)
    await page.keyboard.press('Enter')
    await expect(word(page)).toHaveCount(0)
  })

  lasting(
    'Escape hides it and does nothing else: what is around the button stays',
    { tag: '@full' },
    async ({ page }) => {
      await open(page)
      await icon(page).evaluate((button) => {
        button.ownerDocument.addEventListener('keydown', ({ key }) => {
          if (key === 'Escape') document.body.dataset.escaped = 'yes'
        })
      })
      await reach(page)
      await expect(word(page)).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(word(page)).toHaveCount(0)
      expect(await page.evaluate(() => document.body.dataset.escaped)).toBeUndefined()
      await page.keyboard.press('Escape')
      expect(await page.evaluate(() => document.body.dataset.escaped)).toBe('yes')
    },
  )

  lasting('stays inside the window at every edge', { tag: '@full' }, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 480 })
    await open(page)
    for (const corner of [
      { left: '0', top: '0' },
      { right: '0', top: '0' },
      { left: '0', bottom: '0' },
      { right: '0', bottom: '0' },
    ]) {
      await icon(page).evaluate((button, at) => {
        button.blur()
        Object.assign(button.style, { position: 'fixed', zIndex: '99', inset: 'auto' }, at)
      }, corner)
      await icon(page).focus()
      await expect(word(page)).toBeVisible()
      const box = await word(page).boundingBox()
      const anchor = await icon(page).boundingBox()
      if (!box || !anchor) throw new Error('it has no place')
      expect(box.x).toBeGreaterThanOrEqual(0)
      expect(box.y).toBeGreaterThanOrEqual(0)
      expect(box.x + box.width).toBeLessThanOrEqual(320)
      expect(box.y + box.height).toBeLessThanOrEqual(480)
      // it covers no part of its button
      expect(box.y + box.height <= anchor.y || box.y >= anchor.y + anchor.height).toBe(true)
    }
  })
})

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true })
  test('a tap shows no word and does what the button does', { tag: '@full' }, async ({ page }) => {
    await open(page)
    const pending = page.getByRole('button', { name: t.buttons.pending })
    await expect(pending).toHaveAttribute('aria-busy', 'true')
    await icon(page).tap()
    await expect(pending).not.toHaveAttribute('aria-busy', 'true')
    await expect(word(page)).toHaveCount(0)
  })
})
