import type { Page, Request } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { networkAliases } from '@/db/schema'
import { partnersHost } from '../factories/demo'
import { expect, test as fresh } from './fixtures'
import { test } from './lasting-context'
import { ownPerson } from './own-people'
import { at, choiceKept, forgetChoices, heading, host } from './shell-page'
import { choiceOf } from './sign-in-page'
import { offlinePageKept } from './signed-in'
import { spokenIn } from './spoken'
import { en, ru } from './words'

const { language, words } = spokenIn(import.meta.filename)
const { shell } = words
const polaris = language === 'ru' ? 'Полярис' : 'Polaris'

test.describe('other pages', () => {
  test.beforeEach(({ context, baseURL }) =>
    context.addCookies([{ name: 'locale', value: language, url: baseURL ?? '' }]),
  )

  test('law pages: the logo leads to the root; the header has a sign-in icon, or shows who is signed in', {
    tag: '@full',
  }, async ({ page }) => {
    await page.goto('/platform/law/user-agreement')
    const header = page.getByRole('banner')
    await expect(header.getByRole('link', { name: polaris })).toHaveAttribute('href', '/')
    await header.getByRole('link', { name: words.common.signIn }).click()
    await expect(page).toHaveURL('/platform/login')
    const { firstName, lastName } = await at(page, 'employee', '/platform/law/user-agreement', language)
    await expect(header.getByRole('link', { name: words.common.signIn })).toHaveCount(0)
    await header.getByRole('link', { name: shell.account.replace('{name}', `${firstName} ${lastName}`) }).click()
    await expect(page).toHaveURL('/platform/profile')
  })

  test('refused access is a 403 with a next step', { tag: '@full' }, async ({ page }) => {
    const answer = await page.goto('/platform/no-access')
    expect(answer?.status()).toBe(403)
    await expect(heading(page)).toHaveText(shell.noAccess.signInTitle)
    await expect(page.getByRole('banner')).toContainText(polaris)
    await page.getByRole('link', { name: shell.noAccess.signIn }).click()
    await expect(page).toHaveURL('/platform/login')
  })

  test('a dead link is a 404 with a next step', async ({ page }) => {
    const answer = await page.goto('/platform/404')
    expect(answer?.status()).toBe(404)
    await expect(heading(page)).toHaveText(shell.screens.NotFound)
    // whose page it is, in whose language, and whom to ask
    await expect(page.getByRole('banner')).toContainText(polaris)
    await choiceOf(page, words.shell.theme).click()
    await expect(page.getByRole('button', { name: words.shell.themes.dark })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('contentinfo').getByRole('link', { name: words.common.help })).toBeVisible()
    await page.getByRole('main').getByRole('link').click()
    await expect(page).toHaveURL('/platform/login')
  })

  test('an unknown path leads to the root, and from there to the services', { tag: '@full' }, async ({ page }) => {
    await at(page, 'employee', '/platform/setting/nowhere', language)
    await expect(page).toHaveURL('/platform/apps')
  })
})

fresh.describe('after a new version was deployed', () => {
  fresh.use({ provoked: /ChunkLoadError|net::ERR_FAILED/ })

  fresh(
    'a page with a missing script reloads once; then the area shows an error',
    { tag: '@full' },
    async ({ page }) => {
      const [here, there] = ['/platform/setting', '/platform/setting/device-types']
      const scriptsOf = async (path: string) => {
        const scripts = new Set<string>()
        const note = (request: Request) => void (request.resourceType() === 'script' && scripts.add(request.url()))
        page.on('request', note)
        await page.goto(path)
        await page.waitForLoadState('networkidle')
        page.off('request', note)
        return scripts
      }
      await at(page, 'administrator', there, language)
      const thereOnly = await scriptsOf(there)
      for (const script of await scriptsOf(here)) thereOnly.delete(script)
      expect(thereOnly.size).toBeGreaterThan(0)
      let loads = 0
      let missing = true
      await page.route('**/_next/static/**', (route) =>
        missing && thereOnly.has(route.request().url()) ? route.abort() : route.fallback(),
      )
      page.on('request', (request) => {
        if (!request.isNavigationRequest() || !request.url().endsWith(there)) return
        loads++
        missing = false
      })
      const link = page.getByRole('complementary').getByRole('link', { name: shell.screens.PlatformDeviceTypes })
      await page.goto(here)
      await link.click()
      await expect(page.getByRole('table')).toBeVisible()
      expect(loads).toBe(1)

      missing = true
      await page.goto(here)
      await link.click()
      await expect(heading(page)).toHaveText(words.failure.error.title)
      await expect(link).toBeVisible()
      expect(loads).toBe(1)
      await page.getByRole('button', { name: words.failure.error.retry }).click()
      await expect(page.getByRole('table')).toBeVisible()
    },
  )
})

fresh.describe('offline', () => {
  // the browser reports that it couldn't load what the page requested meanwhile
  fresh.use({ provoked: /net::ERR_INTERNET_DISCONNECTED/, serviceWorkers: 'allow' })

  fresh(
    'without a network a page in the person’s language is shown, until the network is back',
    { tag: '@full' },
    async ({ page, context }) => {
      const { firstName } = await at(page, 'employee', '/platform/apps', language)
      await offlinePageKept(page)
      await page.unrouteAll()
      await context.setOffline(true)
      await page.goto('/platform/profile')
      await expect(heading(page)).toHaveText(shell.offline.title)
      await expect(page).toHaveURL('/platform/profile')
      await context.setOffline(false)
      await page.getByRole('link', { name: shell.offline.retry }).click()
      await expect(heading(page)).toContainText(firstName ?? '')
    },
  )
})

// the texts that are typed are Russian, in both keyboard layouts
test.describe('the search', () => {
  const forgetAlias = () => db().delete(networkAliases).where(eq(networkAliases.name, 'Полустанок'))
  test.afterEach(forgetAlias)
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

  test('finds records of lists that the person may read, also in the wrong keyboard layout, and opens forms that create', async ({
    page,
  }) => {
    const { 'network-aliases': t } = ru
    const name = 'Полустанок'
    await forgetAlias()
    await db().insert(networkAliases).values({ name })
    await at(page, 'administrator', '/platform/setting')
    const dialog = page.getByRole('dialog', { name: ru.shell.palette.title })
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/setting/network-aliases?') && asked.push(request.url()))
    await page.keyboard.press('Control+k')
    await expect(dialog.getByRole('combobox')).toBeFocused()
    // `полустанок` on a Latin layout
    await page.keyboard.type('gjkecnfyjr', { delay: 10 })
    const group = dialog.getByRole('group', { name: ru.shell.screens.PlatformNetworkAliases })
    await expect(group.getByRole('option').first()).toContainText(name)
    // one request for the typed text and one for the other layout, not one per key
    expect(asked.length).toBeLessThanOrEqual(2)
    await group.getByRole('option', { name, exact: true }).click()
    await expect(page).toHaveURL(/network-aliases\?filter%5Bsearch%5D=/)
    await expect(page.getByRole('rowheader', { name })).toBeVisible()

    await page.keyboard.press('Control+k')
    await expect(dialog.getByRole('combobox')).toBeFocused()
    await page.keyboard.type('нет такого нигде')
    await expect(dialog.getByText(ru.shell.palette.empty)).toBeVisible()
    await dialog.getByRole('combobox').fill(t.create)
    await dialog.getByRole('option', { name: t.create }).click()
    await expect(page.getByRole('dialog', { name: t.createTitle })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).not.toHaveURL(/create/)
  })

  test('finds and creates roles, organizations and contractors', { tag: '@full' }, async ({ page }) => {
    await at(page, 'administrator', '/platform/setting')
    const dialog = page.getByRole('dialog', { name: ru.shell.palette.title })
    await page.keyboard.press('Control+k')
    const field = dialog.getByRole('combobox')
    for (const [screen, its, typed] of [
      ['PlatformRoles', ru.roles, 'Аудитор'],
      ['PlatformOrganizations', ru.organizations, 'Полярис Логистика'],
      ['PlatformContractors', ru.contractors, 'Машстрой'],
    ] as const) {
      await field.fill(typed)
      const group = dialog.getByRole('group', { name: ru.shell.screens[screen] })
      await expect(group.getByRole('option').first()).toContainText(typed)
      await field.fill(its.create)
      await dialog.getByRole('option', { name: its.create }).click()
      await expect(page.getByRole('dialog', { name: its.createTitle })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await page.keyboard.press('Control+k')
    }
  })

  test('people who may only read find records and nothing to create; others find neither', { tag: '@full' }, async ({
    page,
  }) => {
    const dialog = page.getByRole('dialog', { name: ru.shell.palette.title })
    const records = dialog.getByRole('group', { name: ru.shell.screens.PlatformNetworkAliases })
    await at(page, 'auditor', '/platform/profile')
    await page.keyboard.press('Control+k')
    await expect(dialog.getByRole('combobox')).toBeFocused()
    await expect(dialog.getByRole('group', { name: ru.shell.palette.create })).toHaveCount(0)
    await page.keyboard.type('офис')
    await expect(records).toBeVisible()
    await at(page, 'employee', '/platform/profile')
    let asked = false
    page.on('request', (request) => {
      asked ||= request.url().includes('/setting/')
    })
    await page.keyboard.press('Control+k')
    await expect(dialog.getByRole('combobox')).toBeFocused()
    await page.keyboard.type('офис')
    await expect(dialog.getByText(ru.shell.palette.empty)).toBeVisible()
    expect(asked).toBe(false)
  })

  test('works by keyboard alone, also in a Cyrillic layout, and returns the focus', { tag: '@full' }, async ({
    page,
  }) => {
    await at(page, 'administrator', '/platform/profile')
    const button = page.getByRole('button', { name: ru.shell.palette.open })
    await button.focus()
    expect(await open(page, 'cyrillic')).toBe(true)
    const dialog = page.getByRole('dialog', { name: ru.shell.palette.title })
    await expect(dialog.getByRole('combobox')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(button).toBeFocused()

    await page.keyboard.press('Control+k')
    await page.keyboard.type('j,pjh')
    await expect(dialog.getByRole('option')).toHaveText([ru.shell.screens.Platform])
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/platform/setting')
    await expect(heading(page)).toBeFocused()

    await page.keyboard.press('Control+k')
    await page.keyboard.type('такого нет')
    await expect(dialog.getByText(ru.shell.palette.empty)).toBeVisible()
  })

  test('loads nothing until it is opened, and then finds services and actions', { tag: '@full' }, async ({
    page,
    database: _,
  }) => {
    const { login } = await ownPerson('employee')
    await forgetChoices(login)
    await at(page, 'employee', '/platform/apps')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const dialog = page.getByRole('dialog', { name: ru.shell.palette.title })
    const run = async (typed: string) => {
      await page.keyboard.press('Control+k')
      await expect(dialog.getByRole('combobox')).toBeFocused()
      await page.keyboard.type(typed)
      await page.keyboard.press('Enter')
    }
    await run('тёмн')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(dialog).toBeHidden()
    const choice = choiceKept(page, 'lang')
    await run('English')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await choice
    await expect(heading(page)).toHaveText(en.profile.services)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('Warehouse')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('https://warehouse.polaris.example/')
  })
})

test.describe('the look', () => {
  const ground = (page: Page) =>
    page.evaluate(() => getComputedStyle(document.body.parentElement as Element).backgroundColor)
  const [light, dark] = ['rgb(251, 251, 249)', 'rgb(17, 20, 23)']

  test('is light, dark or the system’s; a choice applies at once, is stored, and is rendered before any script', async ({
    page,
    browser,
    baseURL,
  }) => {
    await forgetChoices((await ownPerson('employee')).login)
    await page.emulateMedia({ colorScheme: 'light' })
    await at(page, 'employee', '/platform/apps', language)
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

  test('is the domain’s: accent and mark differ, without a script and without a flash', { tag: '@full' }, async ({
    page,
    baseURL,
  }) => {
    const port = new URL(host(baseURL)).port
    const look = async (address: string) => {
      await page.goto(address)
      return page.evaluate(() => ({
        brand: getComputedStyle(document.documentElement).getPropertyValue('--brand-on-light').trim(),
        mark: document.querySelector('header svg path')?.getAttribute('d'),
        // a style sheet in the head delays the first paint until it has loaded
        blocking: document.head.querySelector('link[rel=stylesheet][href^="/style/"]') !== null,
      }))
    }
    const ownLook = await look('/platform/login')
    const partners = await look(`http://${partnersHost}:${port}/platform/login`)
    expect({ ownBrand: ownLook.brand, ownIsBlocking: ownLook.blocking, partnersIsBlocking: partners.blocking }).toEqual(
      { ownBrand: '#0b6b57', ownIsBlocking: true, partnersIsBlocking: true },
    )
    expect(partners.brand).not.toBe(ownLook.brand)
    expect(partners.mark).not.toBe(ownLook.mark)
  })
})

test('works by keyboard alone: skips the menu, uses the header, folds and unfolds', { tag: '@full' }, async ({
  page,
  database: _,
}) => {
  const { login } = await ownPerson('employee')
  await forgetChoices(login)
  await at(page, 'employee', '/platform/profile', language)
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: words.common.skipToContent })
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
})
