import type { Locator, Page } from '@playwright/test'
import type { Kind } from '../factories/demo'
import { createUser } from '../factories/users'
import { expect, test as touch } from './fixtures'
import { test } from './lasting-context'
import { type Account, ownPerson } from './own-people'
import { choiceKept, forgetChoices, heading, at as open, phone, procurement } from './shell-page'
import { choiceOf, SignInPage } from './sign-in-page'
import { asPerson } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { shell } = words
const [polaris, purchases, warehouse] =
  language === 'ru' ? ['Полярис', 'Закупки', 'Склад'] : ['Polaris', 'Procurement', 'Warehouse']
const at = (page: Page, kind: Kind, path: string) => open(page, kind, path, language)
const nameOf = ({ firstName, lastName }: Account) => `${firstName} ${lastName}`

test.describe('the profile layout', () => {
  test('without services it says so, and the alert on a phone has its designed height', { tag: '@full' }, async ({
    page,
  }) => {
    await at(page, 'noServices', '/platform/apps')
    const alert = page.getByText(shell.noServices)
    await expect(alert).toBeVisible()
    await expect(page.getByText(words.profile.noServicesTitle)).toBeVisible()
    // the alert and the page lead to the requests
    const asks = page.getByRole('link', { name: shell.requestAccess, exact: true })
    await expect(asks).toHaveCount(2)
    for (const link of await asks.all()) await expect(link).toHaveAttribute('href', '/platform/profile/requests/access')
    await expect(page.getByRole('button', { name: shell.switchService })).toHaveCount(0)
    const height = () => alert.evaluate((text) => text.closest('.rounded-card')?.getBoundingClientRect().height)
    await expect.poll(height).toBe(58)
    await page.setViewportSize(phone)
    await expect.poll(height).toBe(94)
  })

  test('without services and with an empty required field, one alert names both and leads on for each', {
    tag: '@full',
  }, async ({ page }) => {
    const { login } = await createUser({ email: null, emailVerifiedAt: null, values: {} })
    await asPerson(page.context(), login, language)
    await page.goto('/platform/profile')
    const alert = page.locator('.bg-warning-tint').filter({ hasText: shell.limited })
    await expect(alert).toHaveCount(1)
    await expect(alert).toContainText(shell.limitedServices)
    await expect(page.getByText(shell.limited, { exact: true })).toHaveCount(1)
    await expect(alert.getByRole('link', { name: shell.requestAccess })).toHaveAttribute(
      'href',
      '/platform/profile/requests/access',
    )
    expect(await alert.getByRole('link').count()).toBeGreaterThan(1)
  })

  test('with a ref and several services or none, it has the way back on every page, beside the service menu', {
    tag: '@full',
  }, async ({ page }) => {
    const backLink = page.getByRole('link', { name: shell.back, exact: true })
    for (const [kind, switches] of [
      ['employee', 1],
      ['noServices', 0],
    ] as const) {
      // an open page redirects when its session ends
      await page.goto('about:blank')
      await page.context().clearCookies()
      await at(page, kind, '/platform/profile?ref=%2Fplatform%2Fhelp')
      for (const path of ['/platform/apps', '/platform/profile/sessions']) {
        await expect(backLink).toHaveAttribute('href', '/platform/help')
        await expect(page.getByRole('button', { name: shell.switchService })).toHaveCount(switches)
        await page.goto(path)
      }
      await page.setViewportSize(phone)
      await expect(backLink).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      await page.setViewportSize({ width: 1280, height: 800 })
    }
  })

  test('with one service it links back to it, or by a ref to where the person came from', { tag: '@full' }, async ({
    page,
  }) => {
    await at(page, 'oneService', '/platform/profile')
    const backLink = page.getByRole('link', { name: shell.backToService.replace('{title}', purchases) })
    await expect(backLink).toHaveAttribute('href', procurement)
    await expect(page.getByRole('button', { name: shell.switchService })).toHaveCount(0)
    await expect(page.getByText(shell.noServices)).toHaveCount(0)
    await page.goto(`/platform/profile?ref=${encodeURIComponent(`${procurement}orders/7`)}`)
    await expect(backLink).toHaveAttribute('href', `${procurement}orders/7`)
    await page.goto('/platform/profile?ref=https%3A%2F%2Fevil.example%2F')
    await expect(backLink).toHaveAttribute('href', `${procurement}orders/7`)
    await page.goto('/platform/profile?ref=%2Fplatform%2Flaw%2Fhelp')
    await expect(page.getByRole('link', { name: shell.back, exact: true })).toHaveAttribute(
      'href',
      '/platform/law/help',
    )
  })

  test('with several services a menu links to each of them and to all', async ({ page }) => {
    await at(page, 'employee', '/platform/profile')
    const open = page.getByRole('button', { name: shell.switchService })
    const list = page.getByRole('navigation', { name: shell.switchService })
    await expect(list).toBeHidden()
    await open.click()
    await expect(list.getByRole('link', { name: purchases })).toHaveAttribute('href', procurement)
    await expect(list.getByRole('link', { name: warehouse })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(list).toBeHidden()
    await open.click()
    await list.getByRole('link', { name: shell.allServices }).click()
    await expect(page).toHaveURL('/platform/apps')
    await expect(list).toBeHidden()
    await expect(page.getByRole('main').getByRole('link', { name: warehouse })).toBeVisible()
  })

  test('empty required fields are named, each with a link to its field', async ({ page }) => {
    await at(page, 'emptyFields', '/platform/profile')
    const [alert, position] =
      language === 'ru'
        ? ['Доступ ограничен. Не указано: электронная почта и должность.', 'должность']
        : ['Your access is limited. Missing: e-mail and position.', 'position']
    await expect(page.getByText(new RegExp(alert.split('.')[0] ?? ''))).toHaveText(alert)
    await page.getByRole('link', { name: position, exact: true }).click()
    await expect(page).toHaveURL('/platform/profile/personal#position')
    await expect(page.getByLabel(position, { exact: false })).toBeFocused()
    await page.getByRole('link', { name: new RegExp(`^${shell.account.split(':')[0]}`) }).click()
    await expect(page).toHaveURL('/platform/profile')
  })

  test('the avatar opens the personal data, the button signs out', async ({ page, context }) => {
    const person = await at(page, 'employee', '/platform/apps')
    const avatar = page.getByRole('link', { name: shell.account.replace('{name}', nameOf(person)) })
    await expect(avatar).toContainText('СВ')
    await avatar.click()
    await expect(page).toHaveURL('/platform/profile/personal')
    await page.getByRole('button', { name: words.common.signOut }).click()
    await expect(page).toHaveURL('/platform/login')
    expect((await context.cookies()).find(({ name }) => name.endsWith('session'))).toBeUndefined()
    await page.goto('/platform/apps')
    await expect(page).toHaveURL(/\/platform\/login\?path=/)
  })
})

test.describe('the side menu', () => {
  test('marks the current page; the title has the page’s label and the project, the focus is on the heading', async ({
    page,
  }) => {
    await at(page, 'employee', '/platform/apps')
    const menu = page.getByRole('navigation', { name: shell.mainMenu })
    for (const name of ['UserProfileMain', 'UserProfile', 'switchService'] as const) {
      await menu.getByRole('link', { name: shell.screens[name], exact: true }).click()
      await expect(menu.locator('[aria-current=page]')).toHaveText(shell.screens[name])
      await expect(page).toHaveTitle(`${shell.screens[name]} — ${polaris}`)
      await expect(heading(page)).toBeFocused()
      await expect(heading(page)).toHaveCount(1)
    }
  })

  test('its foot has the longest word on one line, beside the button that folds it', { tag: '@full' }, async ({
    page,
  }) => {
    await at(page, 'administrator', '/platform/profile')
    await expect(page.getByRole('button', { name: shell.foldMenu })).toBeVisible()
    const link = page.getByRole('complementary').getByRole('link', { name: shell.administration })
    expect(await link.evaluate((element) => element.getBoundingClientRect().height)).toBe(32)
  })

  test('stays folded after a reload and in another browser, and its entries keep their names', {
    tag: '@full',
  }, async ({ page, browser, baseURL, database: _ }) => {
    await forgetChoices((await ownPerson('employee')).login)
    await at(page, 'employee', '/platform/apps')
    const width = (on: Page) =>
      on.getByRole('navigation', { name: shell.mainMenu }).evaluate((menu) => menu.getBoundingClientRect().width)
    const full = await width(page)
    const saved = choiceKept(page, 'navMini')
    await page.getByRole('button', { name: shell.foldMenu }).click()
    await saved
    expect(await width(page)).toBeLessThan(full / 2)
    const entry = page.getByRole('link', { name: shell.screens.UserProfileMain, exact: true })
    await entry.hover()
    await expect(page.getByText(shell.screens.UserProfileMain, { exact: true }).last()).toBeVisible()

    // the server renders the menu folded, so nothing moves when scripts run
    const sent = await page.request.get('/platform/apps')
    expect(await sent.text()).toContain('data-mini="true"')
    const context = await browser.newContext({ baseURL })
    const elsewhere = await context.newPage()
    await at(elsewhere, 'employee', '/platform/apps')
    await expect(elsewhere.getByRole('button', { name: shell.unfoldMenu })).toBeVisible()
    await context.close()
    await page.reload()
    await page.getByRole('button', { name: shell.unfoldMenu }).click()
    await expect.poll(() => width(page)).toBe(full)
  })
})

touch.describe('on a phone', () => {
  touch.use({ viewport: phone, hasTouch: true })

  touch(
    'what a thumb and an eye need stays within the safe area, upright and on its side',
    { tag: '@full' },
    async ({ page }) => {
      const devtools = await page.context().newCDPSession(page)
      const cut = (insets: Record<string, number>) => devtools.send('Emulation.setSafeAreaInsetsOverride', { insets })
      await at(page, 'administrator', '/platform/profile')
      // without it phones report no insets
      await expect(page.locator('meta[name=viewport]')).toHaveAttribute('content', /viewport-fit=cover/)
      await cut({ bottom: 34 })
      const bar = page.getByRole('navigation', { name: shell.bottomMenu })
      const boxOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect)
      await expect.poll(async () => (await boxOf(bar)).bottom).toBe(phone.height - 34)
      await bar.getByRole('button', { name: shell.more }).click()
      const sheet = page.getByRole('dialog', { name: shell.more })
      await sheet.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      for (const part of await sheet.getByRole('button').or(sheet.getByRole('link')).all())
        expect((await boxOf(part)).bottom).toBeLessThanOrEqual(phone.height - 34)
      await page.keyboard.press('Escape')

      const side = { width: 844, height: 390 }
      await page.setViewportSize(side)
      await cut({ left: 47, right: 47, bottom: 21 })
      const parts = page.locator('a, button, input, select, h1, h2, p, [role=combobox]').filter({ visible: true })
      const beside = () =>
        parts.evaluateAll((all, width) => {
          const outside = ({ left, right }: DOMRect) => right > 0 && (left < 47 || right > width - 47)
          return all.filter((part) => outside(part.getBoundingClientRect())).map((part) => part.outerHTML.slice(0, 200))
        }, side.width)
      await expect.poll(beside).toEqual([])
    },
  )

  touch('a bottom bar has four entries, and the others are behind «Ещё»', async ({ page }) => {
    await at(page, 'administrator', '/platform/profile')
    await expect(page.getByRole('navigation', { name: shell.mainMenu })).toBeHidden()
    const bar = page.getByRole('navigation', { name: shell.bottomMenu })
    const targets = bar.getByRole('link').or(bar.getByRole('button'))
    await expect(targets).toHaveCount(4)
    for (const target of await targets.all()) {
      const box = await target.boundingBox()
      expect(box?.height).toBeGreaterThanOrEqual(44)
      expect(box?.width).toBeGreaterThanOrEqual(44)
    }
    const { bottom } = await bar.evaluate((element) => element.getBoundingClientRect())
    expect(bottom).toBe(phone.height)
    await bar.getByRole('button', { name: shell.more }).click()
    const sheet = page.getByRole('dialog', { name: shell.more })
    await expect(sheet.getByRole('radio', { name: language === 'ru' ? 'Русский' : 'English' })).toBeChecked()
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(bar.getByRole('button', { name: shell.more })).toBeFocused()
    await bar.getByRole('button', { name: shell.more }).click()
    await sheet.getByRole('link', { name: shell.administration }).click()
    await expect(page).toHaveURL('/platform/setting')
    await expect(sheet).toBeHidden()
  })

  touch('a button opens the administration’s menu', { tag: '@full' }, async ({ page }) => {
    await at(page, 'administrator', '/platform/setting')
    await page.getByRole('button', { name: shell.openMenu }).click()
    const drawer = page.getByRole('dialog', { name: shell.platform })
    await expect(drawer.locator('[aria-current=page]')).toContainText(shell.screens.Platform)
    expect(await drawer.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    await drawer.getByRole('button', { name: shell.closeMenu }).click()
    await expect(drawer).toBeHidden()
  })
})

test.describe('the administration layout', () => {
  test('its menu of all pages fits 900 px with its foot at the bottom', { tag: '@full' }, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await at(page, 'administrator', '/platform/setting')
    const menu = page.getByRole('navigation', { name: words.shell.mainMenu })
    expect(await menu.getByRole('link').count()).toBeGreaterThan(15)
    const measured = await menu.evaluate((element) => ({
      hidden: element.scrollHeight - element.clientHeight,
      heights: [...new Set([...element.querySelectorAll('a')].map((link) => link.getBoundingClientRect().height))],
      foot: element.nextElementSibling?.getBoundingClientRect().bottom,
    }))
    expect(measured).toEqual({ hidden: 0, heights: [32], foot: expect.any(Number) })
    expect(measured.foot).toBeLessThanOrEqual(900)
    expect(measured.foot).toBeGreaterThan(850)
  })

  test('has a side menu with a badge, a home link, breadcrumbs and a way back', async ({ page }) => {
    await at(page, 'auditor', '/platform/setting')
    await expect(page).toHaveTitle(`${shell.screens.Platform} — ${polaris}`)
    const menu = page.getByRole('navigation', { name: shell.mainMenu })
    // how many matters wait depends on what other tests left; that mails stay waits always
    const waiting = language === 'ru' ? 'жд[уё]т \\d+ дел' : '\\d+ items? waiting'
    const name = new RegExp(`^${shell.screens.Platform}\\s*\\d*\\s*, ${waiting}`)
    await expect(menu.getByRole('link', { name })).toBeVisible()
    await expect(page.getByText(words.overview.matters.mailStays)).toBeVisible()
    await page.getByRole('banner').getByRole('link', { name: shell.screens.switchService }).first().click()
    await expect(page).toHaveURL('/platform/apps')
    await page.getByRole('link', { name: shell.administration }).click()
    await expect(page).toHaveURL('/platform/setting')
    await page.getByRole('link', { name: `${shell.platform}: ${shell.toServices}` }).click()
    await expect(page).toHaveURL('/platform/apps')
  })

  test('a link of the menu shows at once that it was clicked, before the server has answered', {
    tag: '@full',
  }, async ({ page }) => {
    await at(page, 'auditor', '/platform/setting')
    const link = page
      .getByRole('navigation', { name: shell.mainMenu })
      .getByRole('link', { name: shell.screens.PlatformDomains })
    let answer = () => {}
    const answered = new Promise<void>((done) => {
      answer = done
    })
    await page.route('**/setting/domains**', async (route) => {
      await answered
      await route.continue()
    })
    await expect(async () => {
      await link.click()
      await expect(link.locator('[data-pending]')).toBeAttached({ timeout: 1_000 })
    }).toPass()
    await expect(page).toHaveURL('/platform/setting')
    answer()
    await expect(page).toHaveURL('/platform/setting/domains')
    await expect(link.locator('[data-pending]')).toHaveCount(0)
  })

  test('answers 403 with a text and a next step to people without a method', { tag: '@full' }, async ({ page }) => {
    await at(page, 'employee', '/platform/apps')
    await expect(page.getByRole('link', { name: shell.administration })).toHaveCount(0)
    const answer = await page.goto('/platform/setting')
    expect(answer?.status()).toBe(403)
    await expect(heading(page)).toHaveText(shell.noAccess.title)
    await expect(page.getByText(words.overview.mattersTitle)).toHaveCount(0)
    await choiceOf(page, shell.theme).click()
    await page.getByRole('button', { name: shell.themes.dark }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(heading(page)).toHaveText(shell.noAccess.title)
    await page.getByRole('link', { name: shell.toServices }).click()
    await expect(page).toHaveURL('/platform/apps')
    await page.goto('/platform/setting')
    await page.getByRole('button', { name: shell.noAccess.otherAccount }).click()
    await expect(page).toHaveURL('/platform/login')
  })

  test('redirects people who are signed out to the sign-in page, and back', { tag: '@full' }, async ({ page }) => {
    await page.context().addCookies([{ name: 'locale', value: language, url: process.env.PUBLIC_URL ?? '' }])
    await page.goto('/platform/setting')
    await expect(page).toHaveURL(`/platform/login?path=${encodeURIComponent('/platform/setting')}`)
    const form = new SignInPage(page, language)
    await form.enterIdentifier((await ownPerson('auditor')).login)
    await form.enterPassword()
    await expect(page).toHaveURL('/platform/setting')
    await expect(heading(page)).toHaveText(words.overview.title)
  })
})
