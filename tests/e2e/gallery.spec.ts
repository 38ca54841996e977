import type { Page } from '@playwright/test'
import { expect, test as freshTest } from './fixtures'
import { button, open, path, question, t } from './gallery-page'
import { test } from './lasting-context'
import { speak } from './people'
import { choiceKept } from './shell-page'
import { asOwn, settled } from './signed-in'
import { spokenIn } from './spoken'
import { lookAt, type Width } from './sweep/looks'
import { ru } from './words'

// most texts here are Russian ones with numbers and cases; what depends on the language most is tested in the file's own
const { language, words } = spokenIn(import.meta.filename)

/** Run in the page, in forced colors: what has no edge, whether an element is outlined, and how it is painted. */
const bare = (selector: string) =>
  [...document.querySelectorAll(selector)].flatMap((element) => {
    const { borderTopWidth, borderTopColor, outlineStyle, backgroundColor } = getComputedStyle(element)
    const bordered = Number.parseFloat(borderTopWidth) > 0 && borderTopColor !== backgroundColor
    // a button inside a field or a chip has the edge of what is around it
    const inside = element.parentElement?.closest('.relative:has(> input), .rounded-control, [role=tablist]')
    return !element.checkVisibility() || bordered || outlineStyle !== 'none' || inside
      ? []
      : [element.outerHTML.slice(0, 160)]
  })
const outlined = (element: Element) => {
  const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element)
  return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && !/, 0\)$/.test(outlineColor)
}
const painted = (element: Element) => {
  const mark = element.querySelector('svg') ?? element.firstElementChild
  const { backgroundColor: ground } = getComputedStyle(element)
  if (!mark) return { ground, mark: 'none' }
  const { color, backgroundColor } = getComputedStyle(mark)
  return { ground, mark: mark.localName === 'svg' ? color : backgroundColor }
}
/** Runs in the page and returns the words that don't stand on one line. */
function brokenWords(menu: Element): string[] {
  const texts = document.createTreeWalker(menu, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  const broken: string[] = []
  while (texts.nextNode()) {
    const { currentNode: node } = texts
    for (const { index, 0: word } of (node.textContent ?? '').matchAll(/[\p{L}-]+/gu)) {
      // at a soft hyphen, the hyphen at the end of a line counts to the letter after it
      range.setStart(node, index + 1)
      range.setEnd(node, index + word.length)
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 1)
      const tops = new Set(boxes.map(({ top }) => Math.round(top)))
      if (tops.size > 1) broken.push(word)
    }
  }
  return broken
}

const hasFocus = (page: Page, name: string) => expect(page.locator(':focus')).toHaveAccessibleName(name)

test.describe('every piece', { tag: '@full' }, () => {
  test('has no fault in any look', async ({ page, context, baseURL }) => {
    test.slow()
    await speak(context, language, baseURL ?? '')
    const faults: string[] = []
    const look = async (what: string, widths?: readonly Width[]) => {
      for (const fault of await lookAt(page, { language, ...(widths ? { widths } : {}) }))
        faults.push(`${what}: ${fault}`)
    }
    for (const to of [
      '',
      ...['', '?tab=history', '?tab=auditor', '?tab=person'].map((tab) => `/card${tab}`),
      ...['', '?filter[search]=nobody', '?meta[page]=99'].map((state) => `/list${state}`),
      '/menu/whitelist',
    ]) {
      await open(page, path + to)
      await look(to)
    }
    await open(page, `${path}/list`)
    await page.locator('[data-menu] button').first().click()
    const motion = await page.getByRole('menu').evaluate((menu) => getComputedStyle(menu).animationDuration)
    expect(Number.parseFloat(motion)).toBeLessThan(0.001)
    await look('an open menu')
    await page.getByRole('menuitem').first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await look('an open dialog')
    const { gallery, ui } = words
    for (const kind of ['conflict', 'deleted'] as const) {
      await open(page)
      await button(page, gallery.dialogs[kind]).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(gallery.dialogs.name, { exact: true }).fill('Montazh')
      await button(page, ui.save).click()
      await expect(
        dialog.getByRole('group', { name: kind === 'conflict' ? ui.conflict.label : ui.conflict.goneLabel }),
      ).toBeVisible()
      await look(kind, [1440, 360])
    }
    expect(faults).toEqual([])
  })

  test('a menu of 23 pages fits 900 px, and siblings are tabs at every width', async ({ page, context, baseURL }) => {
    const { gallery, shell } = words
    await speak(context, language, baseURL ?? '')
    await page.setViewportSize({ width: 1440, height: 900 })
    await open(page, `${path}/menu/blacklist`)
    const menu = page.getByRole('navigation', { name: shell.mainMenu })
    const entries = menu.getByRole('link')
    // 23 pages, of which three pairs share an entry
    await expect(entries).toHaveCount(20)
    const measured = await menu.evaluate((element) => ({
      hidden: element.scrollHeight - element.clientHeight,
      heights: [...new Set([...element.querySelectorAll('a')].map((link) => link.getBoundingClientRect().height))],
      foot: element.nextElementSibling?.getBoundingClientRect().bottom,
    }))
    expect(measured).toEqual({ hidden: 0, heights: [32], foot: expect.any(Number) })
    expect(measured.foot).toBeLessThanOrEqual(900)
    await expect(menu.locator('[aria-current=page]')).toContainText(shell.families.lists)

    const tabs = page.getByRole('navigation', { name: shell.families.lists })
    for (const width of [1440, 1024, 1023, 820, 768, 767, 360, 320]) {
      await page.setViewportSize({ width, height: 900 })
      await expect(tabs.getByRole('link')).toHaveCount(2)
      await expect(tabs.locator('[aria-current=page]')).toBeInViewport({ ratio: 0.9 })
      // in the rail words stand under their icons, and no word is broken
      if (width === 1023 || width === 768) expect(await menu.evaluate(brokenWords)).toEqual([])
    }
    await tabs.getByRole('link', { name: gallery.menu.pages.whitelist }).click()
    await expect(tabs.locator('[aria-current=page]')).toHaveText(gallery.menu.pages.whitelist)
  })

  test('in forced colors controls keep an edge, and focus, choice and selection are seen', async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
    await open(page)
    expect(await page.evaluate(bare, 'main :is(button, .rounded-pill, .bg-brand-tint.rounded-control)')).toEqual([])
    const [off, on] = [page.getByRole('switch').first(), page.getByRole('switch').last()]
    await off.click()
    for (const [one, other] of [
      [off, on],
      [page.getByRole('checkbox').first(), page.getByRole('checkbox').last()],
    ] as const) {
      if (one !== off) await one.click()
      await settled(page)
      const looks = [await one.evaluate(painted), await other.evaluate(painted)]
      expect(looks[0]?.ground).not.toBe(looks[1]?.ground)
      // the thumb or the mark stands out from what it lies on
      for (const { ground, mark } of looks) expect(mark).not.toBe(ground)
    }
    for (const chosen of [
      page.getByRole('tab', { selected: true }).first(),
      page.locator('.tabs [aria-current]').first(),
    ])
      expect(await chosen.evaluate(outlined)).toBe(true)
    expect(await page.getByRole('tab', { selected: false }).first().evaluate(outlined)).toBe(false)
    await page.getByRole('tab', { selected: true }).first().press('Shift+Tab')
    expect(await page.locator(':focus').evaluate(outlined)).toBe(true)

    await open(page, `${path}/list?filter[used]=true`)
    expect(await page.evaluate(bare, 'main :is(button, .rounded-pill, .bg-brand-tint.rounded-control)')).toEqual([])
    await page.locator('[data-menu] button').first().press('Enter')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    expect(await page.getByRole('menuitem').first().evaluate(outlined)).toBe(true)
    await open(page, `${path}/menu/roles`)
    expect(await page.locator('aside [aria-current=page]').evaluate(outlined)).toBe(true)
  })

  test('the page can switch its theme', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await open(page)
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const light = await ground()
    await button(page, t.themes.dark).click()
    await expect.poll(ground).not.toBe(light)
    await button(page, t.themes.system).click()
    await expect.poll(ground).toBe(light)
  })
})

test.describe('a dialog by keyboard', () => {
  test('keeps the focus inside, returns it, and asks before input is lost', async ({ page }) => {
    await open(page, `${path}/list`)
    const opener = button(page, t.aliases.create)
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: t.aliases.createTitle })
    await hasFocus(page, t.aliases.name)
    for (let n = 0; n < 12; n++) {
      await page.keyboard.press('Tab')
      await expect(dialog.locator(':focus')).toHaveCount(1)
    }
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(opener).toBeFocused()

    await page.keyboard.press('Enter')
    await dialog.getByLabel(t.aliases.name, { exact: true }).fill('Новый')
    await page.keyboard.press('Escape')
    await expect(question(page)).toBeVisible()
    await hasFocus(page, t.ui.unsaved.stay)
    await settled(page)
    await page.keyboard.press('Escape')
    await expect(question(page)).toBeHidden()
    await expect(dialog.getByLabel(t.aliases.name, { exact: true })).toHaveValue('Новый')

    // the dialog reacts to the pointer a moment after the question has closed
    await expect(async () => {
      await page.mouse.click(5, 5)
      await expect(question(page)).toBeVisible({ timeout: 500 })
    }).toPass()
    await button(page, t.ui.unsaved.leave).click()
    await expect(dialog).toBeHidden()
    await expect(opener).toBeFocused()
  })

  test('opened from a row’s menu, it returns the focus to the menu’s button', { tag: '@full' }, async ({ page }) => {
    await open(page, `${path}/list`)
    const menu = page.locator('[data-menu] button').first()
    await menu.focus()
    await page.keyboard.press('Enter')
    await hasFocus(page, t.aliases.edit)
    await page.keyboard.press('End')
    await hasFocus(page, t.aliases.delete)
    await page.keyboard.press('Enter')
    const confirm = page.getByRole('alertdialog')
    await expect(confirm).toBeVisible()
    await hasFocus(page, t.ui.cancel)
    await page.keyboard.press('Escape')
    await expect(confirm).toBeHidden()
    await expect(menu).toBeFocused()
  })

  test('a failed confirmation shows its error inside, and can be repeated', { tag: '@full' }, async ({ page }) => {
    await open(page)
    await button(page, t.dialogs.confirm).click()
    const dialog = page.getByRole('alertdialog', { name: t.dialogs.confirmTitle })
    await dialog.getByRole('button', { name: t.dialogs.confirmVerb }).click()
    await expect(dialog.getByRole('alert')).toHaveText(t.dialogs.confirmFailed)
    await dialog.getByRole('button', { name: t.dialogs.confirmVerb }).click()
    await expect(dialog).toBeHidden()
  })
})

test.describe('a list', () => {
  const names = (page: Page) => page.getByRole('rowheader')
  const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

  test('keeps sort, filters, page and search in the address, and follows the address', async ({ page }) => {
    await open(page, `${path}/list`)
    const head = page.getByRole('columnheader', { name: t.aliases.name })
    await expect(head).toHaveAttribute('aria-sort', 'ascending')
    const first = await names(page).first().textContent()
    await head.getByRole('link').press('Enter')
    await expect(head).toHaveAttribute('aria-sort', 'descending')
    expect(param(page, 'sort')).toBe('desc')
    await expect(names(page).first()).not.toHaveText(first ?? '')

    await button(page, t.ui.list.addFilter).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: t.aliases.used, exact: true }).press('Enter')
    await page.getByRole('button', { name: t.ui.list.no, exact: true }).press('Enter')
    await expect.poll(() => param(page, 'filter[used]')).toBe('false')
    await expect(names(page)).toHaveCount(12)
    await page.reload()
    await expect(names(page)).toHaveCount(12)
    await page.getByRole('link', { name: new RegExp(`^Убрать фильтр «${t.aliases.used}`) }).click()
    await expect(names(page)).toHaveCount(20)
    await expect(button(page, t.ui.list.addFilter)).toBeFocused()

    const forward = page.getByRole('link', { name: t.ui.list.forward })
    await forward.press('Enter')
    await expect(names(page)).toHaveCount(17)
    await expect(forward).toBeFocused()
    await expect(forward).toHaveAttribute('aria-disabled', 'true')
    await page.goBack()
    await expect(names(page)).toHaveCount(20)

    const search = page.getByRole('textbox', { name: t.aliases.search })
    await search.pressSequentially('прокси')
    await expect(names(page)).toHaveCount(1)
    await expect(search).toBeFocused()
    expect(param(page, 'filter[search]')).toBe('прокси')
    expect(param(page, 'meta[page]')).toBeNull()
    await page.goBack()
    await expect(search).toHaveValue('')
    await expect(names(page)).toHaveCount(20)
    await page.goForward()
    await expect(search).toHaveValue('прокси')
    // one row has no pages, and a search alone is removed by its own cross
    await expect(page.getByRole('navigation', { name: t.ui.list.pages })).toHaveCount(0)
    await expect(page.getByRole('link', { name: t.ui.list.reset })).toHaveCount(0)
    await button(page, t.ui.list.clearSearch).click()
    await expect(names(page)).toHaveCount(20)
    await expect(search).toHaveValue('')
  })

  test('has filters with several values and with a range of dates; is bare at an invalid address', {
    tag: '@full',
  }, async ({ page }) => {
    await open(page, `${path}/list?filter[usedIn]=network&filter[usedIn]=blacklist`)
    await page.getByRole('button', { name: /^Изменить фильтр «Используется в/ }).click()
    const boxes = page.getByRole('checkbox')
    await expect(boxes.nth(1)).toBeChecked()
    await boxes.nth(1).uncheck()
    await button(page, t.ui.list.apply).click()
    await expect.poll(() => new URL(page.url()).searchParams.getAll('filter[usedIn]')).toEqual(['blacklist'])
    await button(page, t.ui.list.addFilter).click()
    await button(page, t.aliases.changed).click()
    await page.getByLabel(t.ui.list.from, { exact: true }).fill('2026-10-01')
    await button(page, t.ui.list.apply).click()
    await expect(names(page)).toHaveCount(1)
    await expect(names(page)).toHaveText('Сканеры уязвимостей', { useInnerText: true })

    await open(page, `${path}/list?filter[nobody]=1&sortBy=password`)
    await expect(names(page)).toHaveCount(20)
  })

  test('stores the page size for the person', { tag: '@full' }, async ({ page }) => {
    await asOwn(page.context(), 'employee')
    await open(page, `${path}/list`)
    const saved = choiceKept(page, 'pagination')
    await page.getByRole('button', { name: 'На странице: 20' }).click()
    await page.getByRole('menuitemradio', { name: '10', exact: true }).click()
    await expect(names(page)).toHaveCount(10)
    expect((await (await saved).json()).settings.pagination).toBe(10)
  })

  test.describe('before scripts run', () => {
    freshTest.use({ javaScriptEnabled: false })
    freshTest('sorts, changes pages, removes filters and searches', { tag: '@full' }, async ({ page }) => {
      await page.goto(`${path}/list?filter[used]=true`)
      await page.getByRole('columnheader', { name: t.aliases.name }).getByRole('link').click()
      expect(param(page, 'sort')).toBe('desc')
      await page.getByRole('link', { name: t.ui.list.forward }).click()
      expect(param(page, 'meta[page]')).toBe('2')
      await page.getByRole('textbox', { name: t.aliases.search }).fill('прокси')
      await page.keyboard.press('Enter')
      await expect(names(page)).toHaveCount(1)
      expect([param(page, 'filter[used]'), param(page, 'meta[page]')]).toEqual(['true', null])
      await page.getByRole('link', { name: /^Убрать фильтр/ }).click()
      expect(param(page, 'filter[used]')).toBeNull()
    })
  })
})

test.describe('notices', { tag: '@full' }, () => {
  // the clock is that of the whole context
  freshTest(
    'a success disappears by itself, but not under the pointer; an error stays until it is closed',
    async ({ page }) => {
      await page.clock.install()
      await open(page)
      await page.clock.pauseAt(new Date(Date.now() + 60_000))
      const { notices } = t
      const region = page.getByRole('region', { name: ru.common.notices })
      await button(page, notices.ok).click()
      await expect(async () => {
        await page.clock.runFor(50)
        await expect(region.getByText(notices.okText)).toBeVisible({ timeout: 100 })
      }).toPass()
      await expect(page.locator('[aria-live=polite]').filter({ hasText: notices.okText })).toHaveCount(1)
      await page.clock.runFor(1500)
      await expect(region.getByText(notices.okText)).toBeVisible()
      await region.getByText(notices.okText).hover()
      await page.clock.runFor(10_000)
      await expect(region.getByText(notices.okText)).toBeVisible()
      await page.mouse.move(5, 5)
      await page.clock.runFor(3000)
      await expect(region.getByText(notices.okText)).toBeHidden()

      await button(page, notices.error).click()
      await page.clock.runFor(500)
      await expect(region.getByText(notices.errorText)).toBeVisible()
      await page.clock.runFor(600_000)
      await expect(region.getByText(notices.errorText)).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
      await region.getByRole('button', { name: ru.common.closeNotice }).click()
      await page.clock.runFor(1000)
      await expect(region.getByText(notices.errorText)).toBeHidden()
    },
  )
})

test('the buttons of a question stay above what a phone keeps for itself', { tag: '@full' }, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await open(page)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets: { bottom: 34 } })
  await button(page, t.dialogs.confirm).click()
  const asked = page.getByRole('alertdialog', { name: t.dialogs.confirmTitle })
  await expect(asked).toBeVisible()
  for (const each of await asked.getByRole('button').all())
    await expect
      .poll(() => each.evaluate((element) => element.getBoundingClientRect().bottom))
      .toBeLessThanOrEqual(780 - 34)
})
