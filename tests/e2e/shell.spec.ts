import type { Page } from '@playwright/test'
import { eq, inArray } from 'drizzle-orm'
import { db } from '@/db/client'
import { settings, userSettings, users } from '@/db/schema'
import { invalidate } from '@/lib/kernel/cache'
import shell_en from '@/messages/en/shell.json' with { type: 'json' }
import shell_ru from '@/messages/ru/shell.json' with { type: 'json' }
import { expect, test } from './fixtures'
import { type Language, languages, SignInPage, texts } from './sign-in-page'

const words = { ru: { ...texts.ru, ...shell_ru }, en: { ...texts.en, ...shell_en } }
const { shell } = words.ru

const phone = { width: 360, height: 760 }
const procurement = 'https://procurement.polaris.example/'
const host = (baseURL: string | undefined) => baseURL ?? ''

/** Signed in and on a page, without following a service to its own site. */
async function at(page: Page, login: string, path: string, language: Language = 'ru') {
  await page.route('**://*.polaris.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>service</title>' }),
  )
  const form = new SignInPage(page, language)
  await form.signIn(login)
  await expect(page).not.toHaveURL(/\/platform\/login/)
  await page.goto(path)
}

/** Forgets what an account chose, so that tests don't hand it on to each other. */
const forgetChoices = async (login: string) => {
  const [user] = await db().select({ id: users.id }).from(users).where(eq(users.login, login))
  await db()
    .delete(userSettings)
    .where(eq(userSettings.userId, user?.id ?? ''))
}

const store = (values: Record<string, unknown>) =>
  db().transaction(async (tx) => {
    for (const [id, value] of Object.entries(values))
      await tx.insert(settings).values({ id, value }).onConflictDoUpdate({ target: settings.id, set: { value } })
    await invalidate(tx, 'settings')
  })
const reset = (...ids: string[]) =>
  db().transaction(async (tx) => {
    await tx.delete(settings).where(inArray(settings.id, ids))
    await invalidate(tx, 'settings')
  })

const overflows = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test.describe('the profile layout', () => {
  test('no service: says so, and what the alert’s height is on a phone', async ({ page }) => {
    await at(page, 'no-services', '/platform/apps')
    const alert = page.getByText(shell.noServices)
    await expect(alert).toBeVisible()
    await expect(page.getByText(words.ru.profile.noServicesTitle)).toBeVisible()
    // the page for asking isn't there yet: nothing leads to it
    await expect(page.getByRole('link', { name: shell.requestAccess })).toHaveCount(0)
    await expect(page.getByRole('button', { name: shell.switchService })).toHaveCount(0)
    const height = () => alert.evaluate((text) => text.closest('.rounded-card')?.getBoundingClientRect().height)
    expect(await height()).toBe(58)
    await page.setViewportSize(phone)
    expect(await height()).toBe(94)
  })

  test('one service: a link back to it', async ({ page }) => {
    await at(page, 'one-service', '/platform/profile')
    const back = page.getByRole('link', { name: shell.backToService.replace('{title}', 'Закупки') })
    await expect(back).toHaveAttribute('href', procurement)
    await expect(page.getByRole('button', { name: shell.switchService })).toHaveCount(0)
    await expect(page.getByText(shell.noServices)).toHaveCount(0)
  })

  test('one service and a ref: back to where the person came from', async ({ page }) => {
    await at(page, 'one-service', `/platform/profile?ref=${encodeURIComponent(`${procurement}orders/7`)}`)
    await page.goto('/platform/profile')
    const back = page.getByRole('link', { name: shell.backToService.replace('{title}', 'Закупки') })
    await expect(back).toHaveAttribute('href', `${procurement}orders/7`)
    await page.goto('/platform/profile?ref=https%3A%2F%2Fevil.example%2F')
    await expect(back).toHaveAttribute('href', `${procurement}orders/7`)
    await page.goto('/platform/profile?ref=%2Fplatform%2Flaw%2Fhelp')
    await page.reload()
    await expect(page.getByRole('link', { name: shell.back, exact: true })).toHaveAttribute(
      'href',
      '/platform/law/help',
    )
  })

  test('several services: a switch that leads to each, and to all of them', async ({ page }) => {
    await at(page, 'services', '/platform/profile')
    const open = page.getByRole('button', { name: shell.switchService })
    const list = page.getByRole('navigation', { name: shell.switchService })
    await expect(list).toBeHidden()
    await open.click()
    await expect(list.getByRole('link', { name: 'Закупки' })).toHaveAttribute('href', procurement)
    await expect(list.getByRole('link', { name: 'Склад' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(list).toBeHidden()
    await open.click()
    await list.getByRole('link', { name: shell.allServices }).click()
    await expect(page).toHaveURL('/platform/apps')
    await expect(list).toBeHidden()
    await expect(page.getByRole('main').getByRole('link', { name: 'Склад' })).toBeVisible()
  })

  test('empty required fields: named in words, each leading to its place', async ({ page }) => {
    await at(page, 'empty-fields', '/platform/profile')
    await expect(page.getByText(/Доступ ограничен: не заполнены обязательные поля/)).toContainText(
      'электронная почта и должность.',
    )
    await page.getByRole('link', { name: 'должность' }).click()
    await expect(page).toHaveURL('/platform/profile/personal#position')
    await expect(page.locator('#position')).toContainText(words.ru.profile.missing)
    await page.getByRole('link', { name: /^Ваша учётная запись/ }).click()
    await expect(page).toHaveURL('/platform/profile')
  })

  test('the avatar leads to the personal data, the button signs out', async ({ page, context }) => {
    await at(page, 'services', '/platform/apps')
    const avatar = page.getByRole('link', { name: shell.account.replace('{name}', 'Семён Ветров') })
    await expect(avatar).toContainText('СВ')
    await avatar.click()
    await expect(page).toHaveURL('/platform/profile/personal')
    await page.getByRole('button', { name: words.ru.common.signOut }).click()
    await expect(page).toHaveURL('/platform/login')
    expect((await context.cookies()).find(({ name }) => name.endsWith('session'))).toBeUndefined()
    await page.goto('/platform/apps')
    await expect(page).toHaveURL(/\/platform\/login\?path=/)
  })

  test('without a header the side menu has the person, the look and the way out', async ({ page, database: _ }) => {
    await store({ headerVisible: false })
    try {
      await at(page, 'services', '/platform/apps')
      await expect(page.getByRole('banner')).toBeHidden()
      await expect(page.getByRole('link', { name: 'Семён Ветров' })).toBeVisible()
      await page.getByRole('button', { name: shell.preferences }).click()
      await expect(page.getByRole('radio', { name: shell.themes.dark })).toBeVisible()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: words.ru.common.signOut }).click()
      await expect(page).toHaveURL('/platform/login')
    } finally {
      await reset('headerVisible')
    }
  })
})

test.describe('the side menu', () => {
  test('marks the page it is on; the title is its label and the project’s, the focus is on the heading', async ({
    page,
  }) => {
    await at(page, 'services', '/platform/apps')
    const menu = page.getByRole('navigation', { name: shell.mainMenu })
    for (const name of ['UserProfileMain', 'UserProfile', 'switchService'] as const) {
      await menu.getByRole('link', { name: shell.screens[name], exact: true }).click()
      await expect(menu.locator('[aria-current=page]')).toHaveText(shell.screens[name])
      await expect(page).toHaveTitle(`${shell.screens[name]} — Полярис`)
      await expect(heading(page)).toBeFocused()
      await expect(heading(page)).toHaveCount(1)
    }
  })

  test('stays folded after a reload and in another browser, and its entries keep their names', async ({
    page,
    browser,
    baseURL,
    database: _,
  }) => {
    await forgetChoices('services')
    await at(page, 'services', '/platform/apps')
    const width = (on: Page) =>
      on.getByRole('navigation', { name: shell.mainMenu }).evaluate((menu) => menu.getBoundingClientRect().width)
    const full = await width(page)
    const saved = page.waitForResponse((response) => response.url().endsWith('/users/settings'))
    await page.getByRole('button', { name: shell.foldMenu }).click()
    await saved
    expect(await width(page)).toBeLessThan(full / 2)
    const entry = page.getByRole('link', { name: shell.screens.UserProfileMain, exact: true })
    await entry.hover()
    await expect(page.getByText(shell.screens.UserProfileMain, { exact: true }).last()).toBeVisible()

    // what the server sends is folded already: nothing moves once scripts run
    const sent = await page.request.get('/platform/apps')
    expect(await sent.text()).toContain('data-mini="true"')
    const context = await browser.newContext({ locale: 'ru-RU', baseURL })
    const elsewhere = await context.newPage()
    await at(elsewhere, 'services', '/platform/apps')
    await expect(elsewhere.getByRole('button', { name: shell.unfoldMenu })).toBeVisible()
    await context.close()
    await page.reload()
    await page.getByRole('button', { name: shell.unfoldMenu }).click()
    await expect.poll(() => width(page)).toBe(full)
  })

  test('can’t be folded where the administrators said so', async ({ page, database: _ }) => {
    await forgetChoices('services')
    await store({ editNavMini: false, uiNavMini: true })
    try {
      await at(page, 'services', '/platform/apps')
      await expect(page.locator('[data-mini]')).toBeVisible()
      await expect(page.getByRole('button', { name: shell.unfoldMenu })).toHaveCount(0)
    } finally {
      await reset('editNavMini', 'uiNavMini')
    }
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: phone, hasTouch: true })

  test('a bottom bar of four under the thumb, the rest behind «Ещё»', async ({ page }) => {
    await at(page, 'admin', '/platform/profile')
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
    await expect(sheet.getByRole('radio', { name: 'Русский' })).toBeChecked()
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(bar.getByRole('button', { name: shell.more })).toBeFocused()
    await bar.getByRole('button', { name: shell.more }).click()
    await sheet.getByRole('link', { name: shell.administration }).click()
    await expect(page).toHaveURL('/platform/setting')
    await expect(sheet).toBeHidden()
  })

  test('the administration’s menu is behind a button', async ({ page }) => {
    await at(page, 'admin', '/platform/setting')
    await page.getByRole('button', { name: shell.openMenu }).click()
    const drawer = page.getByRole('dialog', { name: shell.platform })
    await expect(drawer.locator('[aria-current=page]')).toContainText(shell.screens.Platform)
    expect(await drawer.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    await drawer.getByRole('button', { name: shell.closeMenu }).click()
    await expect(drawer).toBeHidden()
  })
})

test.describe('the administration layout', () => {
  test('side menu with a badge, home link, breadcrumbs and a way back', async ({ page }) => {
    await at(page, 'auditor', '/platform/setting')
    await expect(page).toHaveTitle(`${shell.screens.Platform} — Полярис`)
    const menu = page.getByRole('navigation', { name: shell.mainMenu })
    await expect(menu.getByRole('link', { name: /^Обзор, ждёт 1 дело$|^Обзор\s*1?\s*, ждёт/ })).toBeVisible()
    await expect(page.getByText('На платформе один администратор.', { exact: false })).toBeVisible()
    await page.getByRole('banner').getByRole('link', { name: shell.screens.switchService }).first().click()
    await expect(page).toHaveURL('/platform/apps')
    await page.getByRole('link', { name: shell.administration }).click()
    await expect(page).toHaveURL('/platform/setting')
    await page.getByRole('link', { name: `${shell.platform}: ${shell.toServices}` }).click()
    await expect(page).toHaveURL('/platform/apps')
  })

  test('is refused to somebody without a method: 403, in words, with a way on', async ({ page, axe }) => {
    await at(page, 'services', '/platform/apps')
    await expect(page.getByRole('link', { name: shell.administration })).toHaveCount(0)
    const answer = await page.goto('/platform/setting')
    expect(answer?.status()).toBe(403)
    await expect(heading(page)).toHaveText(shell.noAccess.title)
    await axe(page)
    await expect(page.getByText(words.ru.overview.mattersTitle)).toHaveCount(0)
    await page.getByRole('link', { name: shell.toServices }).click()
    await expect(page).toHaveURL('/platform/apps')
  })

  test('signed out: to the sign-in page, and back', async ({ page }) => {
    await page.goto('/platform/setting')
    await expect(page).toHaveURL(`/platform/login?path=${encodeURIComponent('/platform/setting')}`)
    const form = new SignInPage(page)
    await form.enterIdentifier('auditor')
    await form.enterPassword()
    await expect(page).toHaveURL('/platform/setting')
    await expect(heading(page)).toHaveText(words.ru.overview.title)
  })
})

test.describe('the other pages', () => {
  test('law: the logo leads to the root; a sign-in icon, or who is signed in', async ({ page }) => {
    await page.goto('/platform/law/user-agreement')
    const header = page.getByRole('banner')
    await expect(header.getByRole('link', { name: 'Полярис' })).toHaveAttribute('href', '/')
    await header.getByRole('link', { name: words.ru.common.signIn }).click()
    await expect(page).toHaveURL('/platform/login')
    await at(page, 'services', '/platform/law/user-agreement')
    await expect(header.getByRole('link', { name: words.ru.common.signIn })).toHaveCount(0)
    await header.getByRole('link', { name: shell.account.replace('{name}', 'Семён Ветров') }).click()
    await expect(page).toHaveURL('/platform/profile')
  })

  for (const language of languages)
    test(`refused access in ${language}: 403 with a next step`, async ({ page, context, baseURL, axe }) => {
      await context.addCookies([{ name: 'locale', value: language, url: host(baseURL) }])
      const answer = await page.goto('/platform/no-access')
      expect(answer?.status()).toBe(403)
      const { noAccess } = words[language].shell
      await expect(heading(page)).toHaveText(noAccess.title)
      await axe(page)
      await page.getByRole('link', { name: noAccess.signIn }).click()
      await expect(page).toHaveURL('/platform/login')
    })

  test('a wrong path leads to the root, and from there to the services', async ({ page }) => {
    await at(page, 'services', '/platform/setting/nowhere')
    await expect(page).toHaveURL('/platform/apps')
  })
})

test.describe('offline', () => {
  // the browser says that it couldn't load what the page asked for meanwhile
  test.use({ provoked: /net::ERR_INTERNET_DISCONNECTED/ })

  test('without the network: a page of its own in the person’s language, and back when it is there again', async ({
    page,
    context,
  }) => {
    await at(page, 'services', '/platform/apps')
    await page.evaluate(async () => {
      const { active, installing, waiting } = await navigator.serviceWorker.ready
      const worker = active ?? waiting ?? installing
      if (worker?.state === 'activated') return
      await new Promise((done) =>
        worker?.addEventListener('statechange', () => worker.state === 'activated' && done(null)),
      )
    })
    await page.unrouteAll()
    await context.setOffline(true)
    await page.goto('/platform/profile')
    await expect(heading(page)).toHaveText(shell.offline.title)
    await expect(page).toHaveURL('/platform/profile')
    await context.setOffline(false)
    await page.getByRole('link', { name: shell.offline.retry }).click()
    await expect(heading(page)).toContainText('Семён')
  })
})

test.describe('the search', () => {
  const open = (page: Page, layout: 'latin' | 'cyrillic') =>
    page.evaluate(
      (key) => {
        const event = new KeyboardEvent('keydown', {
          key,
          code: 'KeyK',
          ctrlKey: true,
          bubbles: true,
          cancelable: true,
        })
        document.activeElement?.dispatchEvent(event)
        return event.defaultPrevented
      },
      layout === 'latin' ? 'k' : 'л',
    )

  test('by keyboard alone, on a Cyrillic layout too: finds, goes, returns the focus', async ({ page, axe }) => {
    await at(page, 'admin', '/platform/profile')
    const button = page.getByRole('button', { name: shell.palette.open })
    await button.focus()
    expect(await open(page, 'cyrillic')).toBe(true)
    const dialog = page.getByRole('dialog', { name: shell.palette.title })
    await expect(dialog.getByRole('combobox')).toBeFocused()
    await axe(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(button).toBeFocused()

    await page.keyboard.press('Control+k')
    await page.keyboard.type('j,pjh')
    await expect(dialog.getByRole('option')).toHaveText([shell.screens.Platform])
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/platform/setting')
    await expect(heading(page)).toBeFocused()

    await page.keyboard.press('Control+k')
    await page.keyboard.type('такого нет')
    await expect(dialog.getByText(shell.palette.empty)).toBeVisible()
  })

  test('carries nothing until it is asked for, then leads to services and acts', async ({ page, database: _ }) => {
    await forgetChoices('services')
    await at(page, 'services', '/platform/apps')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const dialog = page.getByRole('dialog', { name: shell.palette.title })
    const run = async (typed: string) => {
      await page.keyboard.press('Control+k')
      await expect(dialog.getByRole('combobox')).toBeFocused()
      await page.keyboard.type(typed)
      await page.keyboard.press('Enter')
    }
    await run('тёмн')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(dialog).toBeHidden()
    const kept = page.waitForResponse((response) => response.url().endsWith('/users/settings'))
    await run('English')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await kept
    await expect(heading(page)).toHaveText(words.en.profile.services)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Warehouse')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('https://warehouse.polaris.example/')
    await forgetChoices('services')
  })
})

test.describe('the look', () => {
  const ground = (page: Page) =>
    page.evaluate(() => getComputedStyle(document.body.parentElement as Element).backgroundColor)
  const [light, dark] = ['rgb(251, 251, 249)', 'rgb(17, 20, 23)']

  test('light, dark or the system’s: at once, kept, and there before any script', async ({
    page,
    browser,
    baseURL,
  }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await at(page, 'services', '/platform/apps')
    expect(await ground(page)).toBe(light)
    await page.getByRole('button', { name: shell.preferences }).click()
    await page.getByText(shell.themes.dark, { exact: true }).first().click()
    await expect.poll(() => ground(page)).toBe(dark)
    const state = await page.context().storageState()
    const plain = await browser.newContext({
      storageState: state,
      javaScriptEnabled: false,
      baseURL,
      colorScheme: 'light',
    })
    const scriptless = await plain.newPage()
    await scriptless.goto('/platform/apps')
    await expect(scriptless.locator('html')).toHaveAttribute('data-theme', 'dark')
    expect(await scriptless.locator('html').evaluate((html) => getComputedStyle(html).backgroundColor)).toBe(dark)
    await plain.close()

    await page.reload()
    expect(await ground(page)).toBe(dark)
    await page.getByRole('button', { name: shell.preferences }).click()
    await page.getByText(shell.themes.system, { exact: true }).first().click()
    await expect.poll(() => ground(page)).toBe(light)
    await page.reload()
    expect(await ground(page)).toBe(light)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => ground(page)).toBe(dark)
  })

  test('is the domain’s: accent and mark differ, without a script and without a flash', async ({ page, baseURL }) => {
    const port = new URL(host(baseURL)).port
    const look = async (address: string) => {
      await page.goto(address)
      return page.evaluate(() => ({
        brand: getComputedStyle(document.documentElement).getPropertyValue('--brand-on-light').trim(),
        mark: document.querySelector('header svg path')?.getAttribute('d'),
        // a sheet in the head holds the first paint back until it is there
        blocking: document.head.querySelector('link[rel=stylesheet][href^="/style/"]') !== null,
      }))
    }
    const own = await look('/platform/login')
    const partners = await look(`http://partners.localhost:${port}/platform/login`)
    expect([own.brand, own.blocking, partners.blocking]).toEqual(['#0b6b57', true, true])
    expect(partners.brand).not.toBe(own.brand)
    expect(partners.mark).not.toBe(own.mark)
  })
})

for (const language of languages)
  for (const colorScheme of ['light', 'dark'] as const)
    test(`axe finds nothing and nothing is cut off, ${language}, ${colorScheme}`, async ({
      page,
      context,
      axe,
      baseURL,
    }) => {
      test.setTimeout(120_000)
      await page.emulateMedia({ colorScheme })
      await context.addCookies([{ name: 'locale', value: language, url: host(baseURL) }])
      await at(page, 'admin', '/platform/apps', language)
      for (const path of ['/platform/apps', '/platform/profile', '/platform/profile/personal', '/platform/setting'])
        for (const width of [1440, 768, 320]) {
          await page.setViewportSize({ width, height: 800 })
          await page.goto(path)
          expect(await overflows(page), `${path} at ${width}`).toBe(false)
          if (width !== 768) await axe(page)
        }
      await page.setViewportSize({ width: 320, height: 800 })
      await page.getByRole('button', { name: words[language].shell.openMenu }).click()
      await axe(page)
    })

test('by keyboard alone: past the menu to the content, through the header, fold and unfold', async ({
  page,
  database: _,
}) => {
  await forgetChoices('services')
  await at(page, 'services', '/platform/profile')
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: words.ru.common.skipToContent })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.locator('#main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('main').getByRole('link').first()).toBeFocused()

  const fold = page.getByRole('button', { name: shell.foldMenu })
  await fold.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: shell.unfoldMenu })).toBeFocused()
  await page.getByRole('button', { name: shell.preferences }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('radio', { name: shell.themes.system }).first()).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await forgetChoices('services')
})
