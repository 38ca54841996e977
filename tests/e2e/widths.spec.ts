import type { Page } from '@playwright/test'
import { expect, test as fresh } from './fixtures'
import { forgetEvents, giveUp } from './given-up-event'
import { test } from './lasting-context'
import { choiceOf } from './sign-in-page'
import { asOwn, settled, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)

test.beforeEach(async ({ page, context, baseURL }) => {
  await context.addCookies([{ name: 'locale', value: language, url: baseURL ?? '' }])
  await page.setViewportSize({ width: 1440, height: 900 })
})
test.afterEach(forgetEvents)

/** From the narrowest phone to the widest screen, and both sides of each width at which a layout changes. */
const edges = [480, 640, 768, 1024, 1296].flatMap((edge) => [edge - 1, edge])
const steps = Array.from({ length: 51 }, (_, n) => 320 + n * 32)
const widths = [...new Set([...steps, ...edges, 1936])].sort((a, b) => a - b)

/** Runs in the page and returns what doesn't fit at this width. */
function faults(): string[] {
  const faults: string[] = []
  const { scrollWidth } = document.documentElement
  if (scrollWidth > window.innerWidth) faults.push(`the page is ${scrollWidth} px wide`)
  for (const table of document.querySelectorAll('.list-table'))
    if (table.scrollWidth > table.clientWidth + 1)
      faults.push(`a table of ${table.scrollWidth} px in ${table.clientWidth}`)
  for (const action of document.querySelectorAll('[data-row-action]')) {
    const { left, right } = action.getBoundingClientRect()
    if (left < 0 || right > window.innerWidth) faults.push(`out of reach: ${action.getAttribute('aria-label')}`)
  }
  for (const address of document.querySelectorAll('main code')) {
    if (address.checkVisibility() && address.getBoundingClientRect().height > 42)
      faults.push(`broken over lines: ${address.textContent}`)
  }
  return faults
}

async function atEveryWidth(page: Page): Promise<string[]> {
  const allFaults: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    // the frame of the change itself may still have the layout of before: what lasts counts
    if ((await page.evaluate(faults)).length === 0) continue
    await settled(page)
    for (const fault of await page.evaluate(faults)) allFaults.push(`${width} px: ${fault}`)
  }
  return allFaults
}

for (const [what, path] of [
  ['network aliases', '/platform/setting/network-aliases?meta[perPage]=100'],
  ['device types', '/platform/setting/device-types'],
  ['undelivered events', '/platform/setting'],
  ['sessions', '/platform/profile/sessions'],
  ['the gallery’s list', '/platform/dev/ui/list'],
  ['the gallery’s card with a history', '/platform/dev/ui/card?tab=history'],
] as const)
  test(`nothing is pushed out of the page at any width: ${what}`, { tag: '@full' }, async ({
    page,
    context,
    database: _,
  }) => {
    if (what === 'undelivered events') await giveUp()
    await asOwn(context, 'administrator', language)
    await page.goto(path)
    await takenOver(page)
    expect(await atEveryWidth(page)).toEqual([])
  })

test('unfolding a row shows its hidden columns; a card shows all columns', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await asOwn(context, 'administrator', language)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/platform/setting/device-types')
  const t = words['device-types']
  const head = page.getByRole('columnheader', { name: t.changed })
  const row = page.getByRole('row').nth(1)
  const unfold = row.locator('summary')
  await expect(unfold).toHaveAttribute('aria-label', words.ui.list.moreFacts)
  await expect(head).toBeVisible()
  await expect(unfold).toBeHidden()
  await page.setViewportSize({ width: 820, height: 900 })
  await expect(head).toBeHidden()
  await expect(row.locator('dl')).toBeHidden()
  await unfold.click()
  await expect(row.locator('dl')).toContainText(t.changed)
  await expect(row.locator('dl time')).toBeVisible()
  await page.setViewportSize({ width: 360, height: 900 })
  await expect(unfold).toBeHidden()
  await expect(row.getByRole('cell').filter({ has: page.locator('time') })).toBeVisible()
  await settled(page)
})

test('on a phone a row that is ordered keeps the words of its name whole', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await asOwn(context, 'administrator', language)
  await page.setViewportSize({ width: 360, height: 900 })
  await page.goto('/platform/setting/applications/order')
  const names = page.getByRole('main').getByRole('listitem').locator('.font-medium')
  await expect(names.filter({ hasText: language === 'ru' ? /^Документация$/ : /^Documentation$/ })).toBeVisible()
  // a name of one word is one line high
  const broken = await names.evaluateAll((all) =>
    all
      .filter(({ textContent }) => /^\p{L}+$/u.test(textContent))
      .filter((name) => name.getBoundingClientRect().height > 30)
      .map(({ textContent }) => textContent),
  )
  expect(broken).toEqual([])
})

test('on paper a page has only its content, in light colors, with every column', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await asOwn(context, 'administrator', language)
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
  await page.setViewportSize({ width: 720, height: 1000 })
  await page.goto('/platform/setting/network-aliases')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.locator('header, aside, search, main [data-menu] button').filter({ visible: true })).toHaveCount(0)
  await expect(page.getByRole('columnheader', { name: words['network-aliases'].changed })).toBeVisible()
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
    'rgb(255, 255, 255)',
  )
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(23, 26, 31)')
  expect(await page.evaluate(faults)).toEqual([])
})

test('on paper a public page has only its content', { tag: '@full' }, async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
  await page.setViewportSize({ width: 720, height: 1000 })
  for (const path of ['/platform/login', '/platform/registration', '/platform/help', '/platform/law/personal-data']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const others = page.locator(
      ':is(header, footer, nav):not(main *), [data-cookie-notice], [data-brand], a[href="#main"]',
    )
    await expect(others.filter({ visible: true }), path).toHaveCount(0)
    const drawn = await page.evaluate(() => {
      const { left, top } = document.querySelector('main')?.getBoundingClientRect() ?? { left: -1, top: -1 }
      const { backgroundColor } = getComputedStyle(document.documentElement)
      return { left, top, backgroundColor, color: getComputedStyle(document.body).color }
    })
    expect(drawn, path).toMatchObject({ top: 0, backgroundColor: 'rgb(255, 255, 255)', color: 'rgb(23, 26, 31)' })
    expect(await page.evaluate(faults)).toEqual([])
  }
})

test('in forced colors the controls of a public page have edges, a focus and a choice that are seen', {
  tag: '@full',
}, async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
  await page.goto('/platform/login')
  await takenOver(page)
  for (const name of [words.common.continue, words.common.cookie.accept]) {
    const button = page.getByRole('button', { name, exact: true })
    expect(await button.evaluate((element) => getComputedStyle(element).borderTopWidth), name).not.toBe('0px')
  }
  await page.keyboard.press('Tab')
  expect(await page.locator(':focus').evaluate((element) => getComputedStyle(element).outlineStyle)).not.toBe('none')
  // the panel of the brand is not an empty half
  const [panel, drawing] = await page
    .locator('[data-brand], [data-brand] .guilloche-rosette')
    .evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor))
  expect(drawing).not.toBe(panel)
  await choiceOf(page, words.common.chooseLanguage.split('{')[0] ?? '').click()
  const [currentLanguage, other] = language === 'ru' ? ['Русский', 'English'] : ['English', 'Русский']
  const chosen = page.getByRole('button', { name: currentLanguage, exact: true })
  await expect(chosen).toHaveAttribute('aria-pressed', 'true')
  await expect(chosen.locator('svg')).toBeVisible()
  await expect(page.getByRole('button', { name: other, exact: true }).locator('svg')).toBeHidden()
})

fresh.describe('without a network', () => {
  fresh.use({ provoked: /ERR_INTERNET_DISCONNECTED/ })

  fresh(
    'an open page shows that there is no network, and recovers by itself',
    { tag: '@full' },
    async ({ page, context }) => {
      await asOwn(context, 'administrator', language)
      await page.goto('/platform/setting/network-aliases')
      await takenOver(page)
      const notice = page.getByText(words.shell.offline.open)
      await context.setOffline(true)
      await expect(notice).toBeVisible()
      const again = page.waitForResponse((answer) => answer.request().headers().rsc === '1')
      await context.setOffline(false)
      expect((await again).ok()).toBe(true)
      await expect(notice).toBeHidden()
      await expect(page.getByRole('row').nth(1)).toBeVisible()
    },
  )
})

// a browser that has loaded nothing yet
fresh(
  'the first click on a row’s menu opens it, however slowly the menu loads',
  { tag: '@full' },
  async ({ page, context }) => {
    await asOwn(context, 'administrator', language)
    await page.goto('/platform/setting/network-aliases')
    await takenOver(page)
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/_next\/static\/.*\.js/, async (route) => {
      await released
      await route.continue()
    })
    const button = page.locator('[data-row-action]').first()
    await button.click()
    await expect(button).toHaveAttribute('aria-busy', 'true')
    await expect(page.getByRole('menu')).toBeHidden()
    release()
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(button).toBeFocused()
    await expect(button).toHaveAttribute('aria-expanded', 'false')
    // opened by keyboard, the first item has the focus
    await page.locator('[data-row-action]').nth(1).press('Enter')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
  },
)
