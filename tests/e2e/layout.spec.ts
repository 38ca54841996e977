import { linkIn } from '../factories/recovery'
import { expect, test as freshTest } from './fixtures'
import { test } from './lasting-context'
import { ownPerson } from './own-people'
import { speak } from './people'
import { choiceOf, type Language, SignInPage } from './sign-in-page'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { common, outbox: t, shell } = words

test.beforeEach(({ context, baseURL }) => speak(context, language, baseURL))

freshTest(
  'a protected page asks to sign in and gets the person back; a path to another site is ignored',
  async ({ page, context, baseURL }) => {
    const { login } = await ownPerson('employee')
    const form = new SignInPage(page, language)
    await page.goto('/platform/profile/personal?a=1')
    await expect(page).toHaveURL(`/platform/login?path=${encodeURIComponent('/platform/profile/personal?a=1')}`)
    await form.enterIdentifier(login)
    await form.enterPassword()
    await expect(page).toHaveURL('/platform/profile/personal?a=1')

    // an open page redirects when its session ends
    await page.goto('about:blank')
    await context.clearCookies()
    await speak(context, language, baseURL)
    await page.goto(`/platform/login?path=${encodeURIComponent('//evil.example')}`)
    await form.enterIdentifier(login)
    await form.enterPassword()
    await expect(page).toHaveURL('/platform/apps')
  },
)

test('a change of language keeps path, query and input, and is stored', async ({ page }) => {
  const other: Language = language === 'ru' ? 'en' : 'ru'
  await page.goto('/platform/login?a=1')
  await new SignInPage(page, language).identifier.fill('somebody')
  await choiceOf(page, common.chooseLanguage.split(':')[0] ?? '').click()
  await page.getByRole('button', { name: other === 'en' ? 'English' : 'Русский' }).click()
  const form = new SignInPage(page, other)
  await expect(form.identifier).toHaveValue('somebody')
  await expect(page).toHaveURL('/platform/login?a=1')
  await expect(page.locator('html')).toHaveAttribute('lang', other)
  await page.reload()
  await expect(form.identifier).toBeVisible()
})

test('the theme of a public page changes at once, and the server renders it from then on', { tag: '@full' }, async ({
  page,
  request,
}) => {
  await page.goto('/platform/login')
  await choiceOf(page, shell.theme).click()
  await page.getByRole('button', { name: shell.themes.dark }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  const [, html] = /(<html[^>]*>)/.exec(await (await page.request.get('/platform/login')).text()) ?? []
  expect(html).toContain('data-theme="dark"')
  expect(await (await request.get('/platform/login')).text()).not.toContain('data-theme="dark"')
})

test('the outbox shows the sent messages by recipient', { tag: '@full' }, async ({
  page,
  context,
  baseURL,
  outbox,
  database: _,
}) => {
  const { email } = await ownPerson('employee')
  const asked = await context.request.post('/api/v1/platform/password/link', {
    data: { email },
    headers: { origin: baseURL ?? '' },
  })
  expect(asked.status(), await asked.text()).toBe(200)
  const { id } = linkIn((await outbox(email ?? '')).text)
  await page.goto('/platform/dev/outbox')
  await page.getByLabel(t.recipient).fill(email?.slice(0, -3) ?? '')
  await page.getByRole('button', { name: t.find }).click()
  await expect(page.getByText(id).first()).toBeVisible()
  const fold = page.getByText(t.asHtml).first()
  await fold.click()
  const drawn = page.locator('iframe').first()
  await expect(drawn).toBeVisible()
  await expect(drawn).toHaveAttribute('srcdoc', new RegExp(id))
  // no script runs in that frame
  await expect(drawn).toHaveAttribute('sandbox', '')
  await fold.click()
  await expect(drawn).toBeHidden()
  await page.getByRole('link', { name: t.byKind.sms }).click()
  await expect(page.getByRole('heading', { name: t.empty.notFound })).toBeVisible()
  await page.goto('/platform/dev/outbox?filter[recipient]=nobody@nowhere.example')
  await expect(page.getByRole('listitem')).toHaveCount(0)
})

test('the viewer of the API document opens', { tag: '@full' }, async ({ page }) => {
  await page.goto('/api/v1/docs')
  await expect(page.getByRole('heading', { name: 'Identity and access platform' })).toBeVisible()
})

test.describe('the cookie notice', () => {
  test('disappears once it is accepted', async ({ page }) => {
    await page.goto('/platform/login')
    const notice = page.getByRole('region', { name: common.cookie.label })
    await notice.getByRole('button', { name: common.cookie.accept }).click()
    await expect(notice).toBeHidden()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(notice).toBeHidden()
  })

  const sizes = [
    { width: 1440, height: 900 },
    { width: 820, height: 600 },
    { width: 360, height: 640 },
    // 320 px zoomed to 200 %
    { width: 160, height: 284 },
  ]
  const paths = [
    '/platform/login',
    '/platform/registration',
    '/platform/forgot-password',
    '/platform/help',
    '/platform/law/personal-data',
    '/oidc/device',
  ]

  test('covers nothing that can’t be scrolled away from it, and never the focused element', { tag: '@full' }, async ({
    page,
  }) => {
    const notice = page.getByRole('region', { name: common.cookie.label })
    for (const path of paths) {
      await page.goto(path)
      await expect(notice).toBeVisible()
      for (const size of sizes) {
        await page.setViewportSize(size)
        const covered = await page.evaluate(() => {
          const cover = document.querySelector('[data-cookie-notice]')
          const controls = [
            ...document.querySelectorAll<HTMLElement>('a[href], button, input, select, summary'),
          ].filter(
            (each) =>
              each.tabIndex >= 0 &&
              // what a closed menu has can't be reached
              each.checkVisibility() &&
              each.getBoundingClientRect().width > 1 &&
              !cover?.contains(each) &&
              // it is visible only with the focus, above everything
              each.getAttribute('href') !== '#main',
          )
          const free = (control: Element) => {
            const { left, right, top, bottom } = control.getBoundingClientRect()
            const element = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
            return element !== null && !cover?.contains(element)
          }
          return controls.flatMap((control) => {
            const places = (['start', 'center', 'end'] as const).some((block) => {
              control.scrollIntoView({ block, behavior: 'instant' })
              return free(control)
            })
            window.scrollTo({ top: 0, behavior: 'instant' })
            control.focus()
            return places && free(control) ? [] : [control.outerHTML.slice(0, 200)]
          })
        })
        expect(covered, `${path} at ${size.width} px`).toEqual([])
      }
    }
  })

  test('never lies over a form: where the window has no room for both, it comes after the form', {
    tag: '@full',
  }, async ({ page, context, baseURL, outbox, database: _ }) => {
    const { email } = await ownPerson('oneService')
    const asked = await context.request.post('/api/v1/platform/password/link', {
      data: { email },
      headers: { origin: baseURL ?? '' },
    })
    expect(asked.status(), await asked.text()).toBe(200)
    const { id } = linkIn((await outbox(email ?? '')).text)
    const windows = [1440, 820, 360].flatMap((width) => [
      { width, height: 600 },
      { width, height: 800 },
    ])
    for (const path of [...paths.filter((each) => !/law|help/.test(each)), `/platform/new-password/${id}`]) {
      await page.goto(path)
      await expect(page.locator('[data-cookie-notice]')).toBeVisible()
      for (const size of windows) {
        await page.setViewportSize(size)
        const over = await page.evaluate(() => {
          const edges = () => {
            const { top } = document.querySelector('[data-cookie-notice]')?.getBoundingClientRect() ?? { top: 0 }
            return top - (document.querySelector('main')?.getBoundingClientRect().bottom ?? 0)
          }
          return [0, 0.25, 0.5, 0.75, 1].map((share) => {
            window.scrollTo({ top: share * document.documentElement.scrollHeight, behavior: 'instant' })
            return Math.round(edges())
          })
        })
        expect(Math.min(...over), `${path} at ${size.width} × ${size.height} px`).toBeGreaterThanOrEqual(0)
      }
    }
    // in a window of an ordinary height it is there at once
    await page.goto('/platform/login')
    for (const size of [
      { width: 1440, height: 800 },
      { width: 820, height: 1180 },
      { width: 360, height: 740 },
    ]) {
      await page.setViewportSize(size)
      await expect(page.getByRole('button', { name: common.cookie.accept })).toBeInViewport({ ratio: 1 })
    }
  })

  test('has the margins of the page, and on its side the brand’s color reaches the edge, but not its banners', {
    tag: '@full',
  }, async ({ page }) => {
    await page.goto('/platform/login')
    const boxOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect)
    for (const width of [360, 700]) {
      await page.setViewportSize({ width, height: 780 })
      const [notice, links] = await Promise.all([boxOf('[data-cookie-notice] p'), boxOf('footer ul')])
      expect(notice.left, `${width} px`).toBe(links.left)
    }
    await page.setViewportSize({ width: 844, height: 390 })
    const devtools = await page.context().newCDPSession(page)
    const insets = { left: 47, right: 47, bottom: 21 }
    await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets })
    await expect.poll(async () => (await boxOf('[data-brand]')).right).toBe(844)
    expect((await boxOf('[data-brand] section')).right).toBeLessThanOrEqual(844 - 47)
    expect((await boxOf('footer ul')).left).toBeGreaterThanOrEqual(47)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(844)
  })

  test('moves nothing when it disappears', { tag: '@full' }, async ({ page }) => {
    await page.goto('/platform/login')
    for (const size of sizes) {
      await page.setViewportSize(size)
      const places = () =>
        page.evaluate(() =>
          [...document.querySelectorAll('main *, footer *, header *')].flatMap((each) => {
            const { left, top, width } = each.getBoundingClientRect()
            return width > 1 && each.checkVisibility() ? [[Math.round(left), Math.round(top + window.scrollY)]] : []
          }),
        )
      const button = page.getByRole('button', { name: common.cookie.accept })
      await expect(button).toBeVisible()
      await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)))
      const before = await places()
      await button.click()
      await expect(button).toBeHidden()
      expect(await places()).toEqual(before)
      await page.context().clearCookies({ name: 'cookieConsent' })
      await page.reload()
    }
  })
})
