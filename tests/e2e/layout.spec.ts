import { expect, test } from './fixtures'
import { languages, SignInPage, texts } from './sign-in-page'

test.describe('navigation rules', () => {
  for (const path of ['/', '/nowhere', '/platform/nowhere', '/platform/login/nowhere/deeper'])
    test(`signed out, ${path} redirects to the sign-in page`, async ({ page }) => {
      await page.goto(path)
      await expect(page).toHaveURL('/platform/login')
    })

  test('a protected page asks to sign in, and the person returns to it', async ({ page }) => {
    await page.goto('/platform/profile/personal?a=1')
    await expect(page).toHaveURL(`/platform/login?path=${encodeURIComponent('/platform/profile/personal?a=1')}`)
    const form = new SignInPage(page)
    await form.enterIdentifier('services')
    await form.enterPassword()
    await expect(page).toHaveURL('/platform/profile/personal?a=1')
  })

  test('a signed-in person at the sign-in page is led to the services, or to the profile without any', async ({
    page,
    context,
  }) => {
    for (const [login, path] of [
      ['services', '/platform/apps'],
      ['no-services', '/platform/profile/personal'],
    ] as const) {
      // an open page redirects when its session ends
      await page.goto('about:blank')
      await context.clearCookies()
      await new SignInPage(page).signIn(login)
      await expect(page).not.toHaveURL(/login/)
      await page.goto('/platform/login')
      await expect(page).toHaveURL(path)
      await page.goto('/nowhere')
      await expect(page).toHaveURL(path)
    }
  })

  test('a dead session counts as signed out: the sign-in page opens without a redirect loop', async ({
    page,
    context,
    baseURL,
  }) => {
    await context.addCookies([{ name: 'platform-session', value: 'forged', url: baseURL ?? '' }])
    await page.goto('/platform/profile')
    await expect(page).toHaveURL(/\/platform\/login\?path=/)
    await expect(new SignInPage(page).identifier).toBeVisible()
  })

  test('a return path to another site is ignored', async ({ page }) => {
    for (const path of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/%2f%2fevil.example',
    ]) {
      // an open page redirects when its session ends
      await page.goto('about:blank')
      await page.context().clearCookies()
      await page.goto(`/platform/login?path=${encodeURIComponent(path)}`)
      const form = new SignInPage(page)
      await form.enterIdentifier('services')
      await form.enterPassword()
      await expect(page).toHaveURL('/platform/apps')
    }
  })

  test('ref is kept as the back link if it is a path of the platform or of an application', async ({
    page,
    context,
  }) => {
    const backLink = async (ref: string) => {
      // an open page redirects when its session ends
      await page.goto('about:blank')
      await context.clearCookies()
      await page.goto(`/platform/login?ref=${encodeURIComponent(ref)}`)
      const found = (await context.cookies()).find(({ name }) => name.endsWith('backLink'))
      return found && decodeURIComponent(found.value)
    }
    expect(await backLink('/platform/profile/personal')).toBe('/platform/profile/personal')
    expect(await backLink('https://warehouse.polaris.example/orders/1')).toBe(
      'https://warehouse.polaris.example/orders/1',
    )
    for (const ref of [
      '//evil.example',
      'https://evil.example/',
      'https://warehouse.polaris.example@evil.example/',
      'javascript:alert(1)',
    ])
      expect(await backLink(ref)).toBeUndefined()
  })
})

test.describe('the layout', () => {
  test('a change of language keeps path, query and input, and is stored', async ({ page }) => {
    await page.goto('/platform/login?a=1')
    const russian = new SignInPage(page, 'ru')
    await russian.identifier.fill('services')
    await page.getByRole('button', { name: /^Язык:/ }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    const english = new SignInPage(page, 'en')
    await expect(english.identifier).toHaveValue('services')
    await expect(page).toHaveURL('/platform/login?a=1')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await page.reload()
    await expect(english.identifier).toBeVisible()
  })

  test('the cookie notice disappears once it is accepted', async ({ page }) => {
    const { cookie } = texts.ru.common
    await page.goto('/platform/login')
    const notice = page.getByRole('region', { name: cookie.label })
    await notice.getByRole('button', { name: cookie.accept }).click()
    await expect(notice).toBeHidden()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(notice).toBeHidden()
  })

  test('every link of the footer opens a page', async ({ page, request }) => {
    await page.goto('/platform/login')
    const links = await page
      .locator('footer a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    const own = links.filter((href) => href.startsWith('/'))
    expect(own.length).toBeGreaterThan(1)
    for (const href of own) expect((await request.get(href, { maxRedirects: 0 })).status(), href).toBe(200)
    const others = links.filter((href) => !href.startsWith('/'))
    for (const href of others) expect(href).toMatch(/^(https:\/\/[\w-]+(\.[\w-]+)+|mailto:\S+@\S+|tel:\+?\d{5,})/)
  })

  test('a document is shown in the language of the page, with its name as the title', async ({
    page,
    context,
    baseURL,
  }) => {
    for (const language of languages) {
      await context.addCookies([{ name: 'locale', value: language, url: baseURL ?? '' }])
      await page.goto('/platform/law/personal-data')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page).toHaveTitle(/ — /)
      await expect(page.getByRole('heading', { level: 1 })).toHaveAttribute('lang', language)
    }
    await page.goto('/platform/law/there-is-none')
    await expect(page).toHaveURL('/platform/login')
  })
})

test.describe('other pages', () => {
  test('the outbox shows the sent messages by recipient', async ({ page, outbox, database: _ }) => {
    const form = new SignInPage(page)
    await form.signIn('two-factors')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(form.t.entry.code.email_code.title)
    const { code } = await outbox('two-factors@polaris.example')
    await page.goto('/platform/dev/outbox')
    await page.getByLabel(texts.ru.outbox.recipient).fill('two-factors@')
    await page.getByRole('button', { name: texts.ru.outbox.find }).click()
    await expect(page.getByText(code).first()).toBeVisible()
    const fold = page.getByText(texts.ru.outbox.asHtml).first()
    await fold.click()
    const drawn = page.locator('iframe').first()
    await expect(drawn).toBeVisible()
    await expect(drawn).toHaveAttribute('srcdoc', new RegExp(code))
    // no script runs in that frame
    await expect(drawn).toHaveAttribute('sandbox', '')
    await fold.click()
    await expect(drawn).toBeHidden()
    await page.getByRole('link', { name: texts.ru.outbox.byKind.sms }).click()
    await expect(page.getByRole('heading', { name: texts.ru.outbox.empty.notFound })).toBeVisible()
    await page.goto('/platform/dev/outbox?filter[recipient]=nobody@nowhere.example')
    await expect(page.getByRole('listitem')).toHaveCount(0)
  })

  test('the API document and its viewer open', async ({ page, request }) => {
    const document = await (await request.get('/api/v1/openapi.json')).json()
    expect(Object.keys(document.paths)).toContain('/api/v1/platform/auth/login/{idAttribute}')
    await page.goto('/api/v1/docs')
    await expect(page.getByRole('heading', { name: 'Identity and access platform' })).toBeVisible({ timeout: 15_000 })
  })
})

test.describe('the cookie notice', () => {
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

  test('covers nothing that can’t be scrolled away from it, and never the focused element', async ({ page }) => {
    const notice = page.getByRole('region', { name: texts.ru.common.cookie.label })
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
              each.getBoundingClientRect().width > 1 &&
              !cover?.contains(each) &&
              // it is visible only with the focus, above everything
              each.getAttribute('href') !== '#main',
          )
          const free = (control: Element) => {
            const { left, right, top, bottom } = control.getBoundingClientRect()
            const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
            return found !== null && !cover?.contains(found)
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

  test('has the margins of the page, and on its side the brand’s color reaches the edge, but not its banners', async ({
    page,
  }) => {
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

  test('moves nothing when it disappears', async ({ page }) => {
    await page.goto('/platform/login')
    for (const size of sizes) {
      await page.setViewportSize(size)
      const places = () =>
        page.evaluate(() =>
          [...document.querySelectorAll('main *, footer *, header *')].flatMap((each) => {
            const { left, top, width } = each.getBoundingClientRect()
            return width > 1 ? [[Math.round(left), Math.round(top + window.scrollY)]] : []
          }),
        )
      const button = page.getByRole('button', { name: texts.ru.common.cookie.accept })
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

test('the theme of a public page changes at once, and the server renders it from then on', async ({
  page,
  request,
}) => {
  await page.goto('/platform/login')
  const { theme, themes } = texts.ru.shell
  await page.getByRole('button', { name: theme }).click()
  await page.getByRole('menuitemradio', { name: themes.dark }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  const [, html] = /(<html[^>]*>)/.exec(await (await page.request.get('/platform/login')).text()) ?? []
  expect(html).toContain('data-theme="dark"')
  expect(await (await request.get('/platform/login')).text()).not.toContain('data-theme="dark"')
})
