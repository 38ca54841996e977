import type { APIRequestContext } from '@playwright/test'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { leavesNothing } from './nothing-left'
import { reset } from './shell-page'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

leavesNothing()

const { language, words } = spokenIn(import.meta.filename)
const { settings: t, snackbar, platform, ui } = words
const { names, modules } = t
const path = '/platform/setting/options/platform/base'
const call = '/api/v1/platform/setting/application/settings'
const ours = ['authCodeAlive', 'authCodeDigits', 'authCodeResendAlive', 'licenseCheckPeriod', 'monitoringPeriod']

/** Back to the defaults, by the call itself, so that the server knows at once. */
async function forget(request: APIRequestContext) {
  const minutes = (value: number) => ({ value, value_props: { unit: 'minutes' } })
  const answer = await request.patch(`${call}/platform`, {
    headers: { origin: process.env.PUBLIC_URL ?? '' },
    data: {
      authCodeAlive: minutes(10),
      authCodeResendAlive: minutes(1),
      authCodeDigits: { value: 4 },
      licenseCheckPeriod: { value: 1, value_props: { unit: 'days' } },
      monitoringPeriod: minutes(1),
    },
  })
  expect(answer.status(), await answer.text()).toBe(200)
}
test.afterEach(() => reset(...ours))

test('settings are found, changed, saved and act at once', async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  await forget(context.request)
  await page.goto(path)
  await page.getByRole('searchbox', { name: t.search }).fill(names.authCodeDigits)
  const digits = page.getByLabel(names.authCodeDigits, { exact: true })
  await expect(digits).toHaveAccessibleDescription(new RegExp(t.advice.replace('{least}', '6')))
  await digits.fill('')
  await digits.press('Tab')
  await expect(digits).toHaveAccessibleDescription(new RegExp(platform.settings.errors.errorEmpty))
  await digits.fill('6')
  const row = page.locator('main [data-setting=authCodeDigits]')
  await expect(row).toContainText(t.changed)
  await page.getByRole('searchbox', { name: t.search }).fill('')
  await page.getByRole('button', { name: new RegExp(`^${modules.code}`) }).click()
  await page.getByLabel(names.authCodeAlive, { exact: true }).and(page.locator('input')).fill('20')
  await page.evaluate(() => window.scrollTo(0, 0))
  const save = page.getByRole('button', { name: ui.saveBar.save, exact: true })
  // wherever the page is, what is changed can be saved
  await expect(save).toBeInViewport()
  await save.click()
  await expect(page.getByText(snackbar.settings)).toBeVisible()
  await expect(row).not.toContainText(t.changed)
  const publicSettings = await context.request.get('/api/v1/platform/application/settings/public')
  expect(await publicSettings.json()).toMatchObject({ codeDigits: 6 })
  await page.reload()
  await page.getByRole('button', { name: new RegExp(`^${modules.code}`) }).click()
  await expect(page.getByLabel(names.authCodeAlive, { exact: true }).and(page.locator('input'))).toHaveValue('20')
})

test('settings that contradict each other, or that somebody saved meanwhile, are not lost', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await asOwn(context, 'administrator', language)
  await forget(context.request)
  await page.goto(path)
  await page.getByRole('button', { name: new RegExp(`^${modules.code}`) }).click()
  const alive = page.getByLabel(names.authCodeAlive, { exact: true }).and(page.locator('input'))
  await alive.fill('1')
  await page.getByRole('button', { name: ui.saveBar.save, exact: true }).click()
  await expect(alive).toHaveAttribute('aria-invalid', 'true')
  await expect(alive).toBeFocused()
  await expect(page.locator('main [data-setting=authCodeAlive]')).toContainText(
    platform.settings.errors.errorAuthCodeAlive,
  )
  // somebody else saves the same setting and another one
  const answer = await context.request.patch(`${call}/platform`, {
    headers: { origin: process.env.PUBLIC_URL ?? '' },
    data: { authCodeAlive: { value: 15, value_props: { unit: 'minutes' } }, authCodeDigits: { value: 5 } },
  })
  expect(answer.status(), await answer.text()).toBe(200)
  await alive.fill('30')
  await page.getByRole('button', { name: ui.saveBar.save, exact: true }).click()
  const panel = page.getByRole('group', { name: ui.conflict.label })
  await expect(panel).toBeFocused()
  await panel.getByRole('button', { name: ui.conflict.keepMine }).click()
  await page.getByRole('button', { name: ui.saveBar.save, exact: true }).click()
  await expect(page.getByText(snackbar.settings)).toBeVisible()
  await expect(panel).toBeHidden()
  await expect(alive).toHaveValue('30')
})

test('own rules are tried before they are saved, and people who share a value are named', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await asOwn(context, 'administrator', language)
  await forget(context.request)
  await page.goto(path)
  const { rules, unique } = t
  await page.getByRole('button', { name: rules.add }).click()
  await page.getByLabel(rules.pattern).fill('^[^0-9]')
  await page.getByLabel(rules.titleIn.replace('{language}', rules.languages[language])).fill('E2E')
  const mark = page.locator('main [data-setting=passwordCustomRules] li').filter({ hasText: /^E2E/ })
  await page.getByLabel(rules.try).fill('2026-Polaris')
  await expect(mark).toHaveText(`E2E: ${rules.failed}`)
  await page.getByLabel(rules.try).fill('Polaris-2026')
  await expect(mark).toHaveText(`E2E: ${rules.passed}`)
  // nobody's password is tried elsewhere, and the rule isn't stored yet
  const publicSettings = await (await context.request.get('/api/v1/platform/application/settings/public')).json()
  expect(JSON.stringify(publicSettings.password)).not.toContain('E2E')
  await page.getByRole('button', { name: rules.remove.replace('{number}', '1') }).click()

  await page.getByRole('searchbox', { name: t.search }).fill(names.monitoringPeriod)
  await page.getByLabel(names.monitoringPeriod, { exact: true }).and(page.locator('input')).fill('2')
  // what the server says of people who share a number is told here, so that nobody else's sign-in is switched off
  const shared = { field: 'identificationMobile', code: 'errorShared', params: { count: 2, value: '+79990001122' } }
  await page.route(`**${call}/platform`, (route) =>
    route.fulfill({
      status: 400,
      json: { code: 'errorNotUnique', message: '', requestId: 'e2e', data: { uniqueErrors: [shared] } },
    }),
  )
  await page.getByRole('button', { name: ui.saveBar.save, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: unique.title })
  await expect(dialog).toContainText('+79990001122')
  await expect(dialog.getByText(/^2\s/)).toBeVisible()
  await dialog.getByRole('button', { name: unique.close }).click()
  await expect(dialog).toBeHidden()
  // nothing that was typed is lost
  await expect(page.locator('main [data-setting=monitoringPeriod]')).toContainText(t.changed)
  await page.unroute(`**${call}/platform`)
  await page.getByRole('button', { name: ui.saveBar.save, exact: true }).click()
  await expect(page.getByText(snackbar.settings)).toBeVisible()
})

test('whoever only looks sees values and saves nothing', { tag: '@full' }, async ({ page, context }) => {
  await asOwn(context, 'auditor', language)
  await page.goto(path)
  await expect(page.locator('main [data-setting=passwordMin] output')).toHaveText('8')
  await expect(page.locator('main [data-setting] input')).toHaveCount(0)
})
