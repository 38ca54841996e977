import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

// what stores settings is in settings.global.spec.ts
const { language, words } = spokenIn(import.meta.filename)
const { settings: t, ui } = words
const path = '/platform/setting/options/platform/base'

test('the bar that saves lies over nothing that is being filled', { tag: '@full' }, async ({ page, context }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  await page.getByRole('button', { name: new RegExp(`^${t.modules.code}`) }).click()
  const alive = page.getByLabel(t.names.authCodeAlive, { exact: true }).and(page.locator('input'))
  // at the bottom of the window, where the bar comes
  await alive.evaluate((field: HTMLElement) => {
    window.scrollBy(0, field.getBoundingClientRect().bottom - window.innerHeight + 4)
    field.focus({ preventScroll: true })
  })
  await page.keyboard.press('End')
  await page.keyboard.type('5')
  const bar = page.getByRole('region', { name: ui.saveBar.unsaved })
  await expect(bar).toBeVisible()
  const boxOf = (part: typeof bar) => part.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect)
  expect((await boxOf(bar)).bottom).toBe(640)
  for (let n = 0; n < 4; n++) {
    const { top } = await boxOf(bar)
    await expect.poll(async () => (await boxOf(page.locator(':focus'))).bottom).toBeLessThanOrEqual(top)
    await page.keyboard.press('Tab')
  }
  // when the bar goes, so does its button; the focus doesn't
  await bar.getByRole('button', { name: ui.saveBar.cancel }).press('Enter')
  await expect(bar).toBeHidden()
  await expect(page.locator('#main, #main input').and(page.locator(':focus'))).toHaveCount(1)
})

test('a test mail says what became of it, and a wrong number is named', { tag: '@full' }, async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  await page.goto(path)
  const form = (title: string) => page.locator('main form').filter({ has: page.getByLabel(title, { exact: true }) })
  const mail = form(t.test.mailTitle)
  await mail.getByLabel(t.test.mailTitle, { exact: true }).fill('e2e-test-mail@polaris.example')
  await mail.getByRole('button', { name: t.test.send }).click()
  await expect(mail.getByRole('status')).toHaveText(new RegExp(`^(${t.test.sent}|${t.test.kept})$`))
  const sms = form(t.test.smsTitle)
  await sms.getByLabel(t.test.smsTitle, { exact: true }).fill('12')
  await sms.getByRole('button', { name: t.test.send }).click()
  await expect(sms.getByRole('status')).toHaveText(words.errors.errorMobile)
  const number = sms.getByLabel(t.test.smsTitle, { exact: true })
  await expect(number).toHaveAttribute('aria-invalid', 'true')
  await expect(number).toHaveAccessibleDescription(`${words.errors.errorMobile} ${t.test.smsText}`)
})
