import type { Page } from '@playwright/test'
import { expect } from './fixtures'
import { takenOver } from './signed-in'
import { ru } from './words'

export const t = { ...ru.gallery, ui: ru.ui }
export const path = '/platform/dev/ui'

/** Opens a page of the gallery and waits until it is hydrated. */
export async function open(page: Page, to = path) {
  await page.goto(to)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await takenOver(page)
}
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
export const question = (page: Page) => page.getByRole('alertdialog', { name: t.ui.unsaved.title })
