import type { Locator } from '@playwright/test'
import { expect } from './fixtures'
import { button, open, path, question, t } from './gallery-page'
import { test } from './lasting-context'
import { asOwn, settled } from './signed-in'
import { lookAt } from './sweep/looks'
import { ru } from './words'

test.describe('a form', () => {
  test('repeated rows move the focus along, and each row has its own errors', async ({ page }) => {
    await open(page, `${path}/list`)
    await button(page, t.aliases.create).click()
    const dialog = page.getByRole('dialog')
    const rows = dialog.getByRole('group', { name: new RegExp(`^${t.aliases.address} \\d`) })
    const address = (row: number) => rows.nth(row).getByLabel(t.aliases.ip, { exact: true })
    await button(page, t.aliases.addIp).press('Enter')
    await expect(rows).toHaveCount(2)
    await expect(address(1)).toBeFocused()
    await address(1).fill('not an address')
    await button(page, t.ui.create).click()

    const summary = dialog.getByRole('group', { name: t.ui.form.failed })
    await expect(summary).toBeFocused()
    await expect(address(0)).toHaveAccessibleDescription(ru.errors.errorEmpty)
    await expect(address(1)).toHaveAccessibleDescription(ru.errors.errorFormat)
    await expect(summary.getByRole('link').last()).toHaveText(/^Строка 2, \p{Ll}.*: \p{Ll}/u)
    await summary.getByRole('link').last().click()
    await expect(address(1)).toBeFocused()
    await address(1).fill('10.0.0.0/8')
    await expect(address(1)).not.toHaveAttribute('aria-invalid')

    const remove = (row: number) => button(page, `Удалить: ${t.aliases.address} ${row}`)
    await remove(1).press('Enter')
    await expect(rows).toHaveCount(1)
    await expect(address(0)).toHaveValue('10.0.0.0/8')
    await expect(remove(1)).toBeFocused()
    await remove(1).press('Enter')
    await expect(rows).toHaveCount(0)
    await expect(button(page, t.aliases.addIp)).toBeFocused()
  })

  test('a tab has a ring once a key reaches it, not when it is clicked', { tag: '@full' }, async ({ page }) => {
    await open(page)
    const tab = (name: RegExp) => page.locator('#locales form').getByRole('tab', { name })
    await tab(/English/).click()
    await expect(tab(/English/)).toBeFocused()
    await expect(tab(/English/)).toHaveCSS('outline-style', 'none')
    await page.keyboard.press('ArrowLeft')
    await expect(tab(/Русский/)).toHaveCSS('outline-style', 'solid')
    await tab(/English/).click()
    await page.keyboard.press('Shift')
    await expect(tab(/English/)).toHaveCSS('outline-style', 'solid')
  })

  test('texts by language: the first tab with an error opens, its errors are counted, a conflict names the language', {
    tag: '@full',
  }, async ({ page }) => {
    await open(page)
    const form = page.locator('#locales form')
    const tab = (name: RegExp) => form.getByRole('tab', { name })
    const [name, content] = ['name', 'content'].map((of) =>
      form.locator('[role=tabpanel][data-state=active]').getByLabel(t.locales[of as 'name'], { exact: true }),
    ) as [Locator, Locator]
    // the tabs follow the keyboard
    await tab(/Русский/).focus()
    await page.keyboard.press('ArrowRight')
    await expect(name).toHaveValue('Terms of use')
    await content.fill('')
    await name.fill('')
    await tab(/Русский/).click()
    await form.getByRole('button', { name: t.ui.save }).click()
    await expect(tab(/English.+, 2 ошибки/)).toHaveAttribute('aria-selected', 'true')
    await tab(/Русский/).click()
    await form.getByRole('link', { name: /^English, содержание/ }).click()
    await expect(content).toBeFocused()
    await content.fill('An account is for you.')

    // an error of the server, in a language that was added
    await form.getByRole('button', { name: t.ui.locales.add }).press('Enter')
    await page.getByRole('menuitem', { name: 'Қазақша' }).press('Enter')
    await expect(name).toBeFocused()
    await name.fill(t.locales.taken)
    await content.fill('x')
    await tab(/English/).click()
    await name.fill('Terms')
    await form.getByRole('button', { name: t.ui.save }).click()
    await expect(tab(/Қазақша.+, 1 ошибка/)).toHaveAttribute('aria-selected', 'true')
    await expect(name).toHaveAccessibleDescription(/уже/)
    await form.getByRole('button', { name: /Убрать язык «Қазақша»/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: t.ui.locales.removeVerb }).click()
    await expect(tab(/English/)).toBeFocused()

    await form.getByRole('button', { name: t.ui.save }).click()
    const conflict = form.getByRole('group', { name: t.ui.conflict.label })
    await expect(conflict.getByRole('group')).toHaveCount(1)
    await expect(conflict.getByRole('group', { name: 'English' })).toContainText(
      'Содержание: An account is for one person alone.',
    )
    await conflict.getByRole('button', { name: t.ui.conflict.takeTheirs }).click()
    await expect(content).toHaveValue('An account is for one person alone.')
    await expect(name).toHaveValue('Terms of use')
    await form.getByRole('button', { name: /Убрать язык «English»/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: t.ui.locales.removeVerb }).click()
    // one language always stays
    await expect(form.getByRole('button', { name: /Убрать язык/ })).toHaveCount(0)
    await form.getByRole('button', { name: t.ui.save }).click()
    await expect(form.getByText(t.locales.saved)).toBeVisible()
  })

  test('a list is edited in its order; a moved row keeps its id and the focus; a dialog above has its own question', {
    tag: '@full',
  }, async ({ page }) => {
    await open(page)
    await button(page, t.nested.open).click()
    const dialog = page.getByRole('dialog', { name: t.nested.title })
    const rows = dialog.getByRole('group', { name: new RegExp(`^${t.nested.item} \\d`) })
    const [value, code] = ['value', 'code'].map(
      (of) => (row: number) => rows.nth(row).getByLabel(t.nested[of as 'value'], { exact: true }),
    ) as [(row: number) => Locator, (row: number) => Locator]
    await value(0).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await expect(value(1)).toBeFocused()
    await expect(value(1)).toHaveValue(t.nested.values.a)
    await expect(dialog.getByText(/Вариант\s1: место\s2\sиз\s3/)).toBeAttached()
    await button(page, `Поднять: ${t.nested.item} 3`).press('Enter')
    await expect(button(page, `Поднять: ${t.nested.item} 2`)).toBeFocused()
    await rows
      .nth(0)
      .locator('[class*=cursor-grab]')
      .dragTo(rows.nth(2), { targetPosition: { x: 80, y: 34 } })
    await expect(value(2)).toHaveValue(t.nested.values.b)

    // a new row has its error before anybody leaves it; the server's error is found by its row
    await dialog.getByRole('button', { name: t.ui.form.add }).click()
    await expect(value(3)).toBeFocused()
    await expect(value(3)).toHaveAccessibleDescription(ru.errors.errorEmpty)
    await value(3).fill('Запасная')
    await code(3).fill('a')
    await button(page, t.ui.save).click()
    await expect(code(3)).toHaveAccessibleDescription(ru.errors.errorUnique)
    await dialog.getByRole('link', { name: /^Строка\s4, код/ }).click()
    await expect(code(3)).toBeFocused()
    await page.keyboard.press('Alt+ArrowUp')
    await expect(code(2)).toBeFocused()

    // the dialog above: Esc asks about it alone, and the focus returns to where it began
    await button(page, t.nested.newGroup).press('Enter')
    const above = page.getByRole('dialog', { name: t.nested.newGroup })
    await above.getByLabel(t.nested.groupName).fill('Склад')
    await page.keyboard.press('Escape')
    await question(page).getByRole('button', { name: t.ui.unsaved.leave }).click()
    await expect(above).toBeHidden()
    await expect(dialog).toBeVisible()
    await expect(button(page, t.nested.newGroup)).toBeFocused()
    await button(page, t.nested.newGroup).press('Enter')
    await above.getByLabel(t.nested.groupName).fill('Склад')
    await page.keyboard.press('Enter')
    await expect(dialog.getByLabel(t.nested.group, { exact: true })).toHaveValue('Склад')
    await code(2).fill('d')
    await button(page, t.ui.save).click()
    // what is stored keeps its id, wherever it went
    await expect(page.getByText('id-c=c id-a=a +=d id-b=b')).toBeVisible()
  })

  test('several values pasted into a row become rows; repeated ones are marked, and the form says what doesn’t fit', {
    tag: '@full',
  }, async ({ page }) => {
    await open(page, `${path}/list`)
    await button(page, t.aliases.create).click()
    const dialog = page.getByRole('dialog')
    const addresses = dialog.getByLabel(t.aliases.ip, { exact: true })
    const paste = (row: number, text: string) =>
      addresses.nth(row).evaluate((field, pasted) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', pasted)
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, text)
    await paste(0, '10.0.0.1, 10.0.0.2;10.0.0.3\r\n10.0.0.1\tx')
    await expect(addresses).toHaveCount(5)
    for (const [row, value] of ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.1', 'x'].entries())
      await expect(addresses.nth(row)).toHaveValue(value)
    await expect(addresses.nth(4)).toBeFocused()
    await expect(addresses.nth(4)).toHaveAttribute('aria-invalid', 'true')
    await expect(dialog.getByText('Вставлено 5 значений, повторяется 1, он отмечен')).toBeVisible()
    await paste(4, Array.from({ length: 30 }, (_, n) => `10.1.0.${n}`).join('\n'))
    await expect(addresses).toHaveCount(20)
    await expect(dialog.getByText(/^Не\s+поместилось\s+15\s+значений/)).toBeVisible()
    // a single value is pasted as usual
    await addresses.nth(0).fill('')
    await paste(0, '10.9.9.9')
    await expect(addresses).toHaveCount(20)
  })

  test('a submit button is never disabled in advance, shows that it is busy, and sends one request; an error of the server is beside its field, a success is a notice', async ({
    page,
  }) => {
    await asOwn(page.context(), 'employee')
    await open(page)
    await button(page, t.dialogs.settings).click()
    const dialog = page.getByRole('dialog', { name: t.dialogs.settingsTitle })
    const language = dialog.getByLabel(t.dialogs.lang, { exact: true })
    await language.fill('')
    const save = button(page, t.ui.save)
    await expect(save).toBeEnabled()
    await expect(save).not.toHaveAttribute('aria-disabled', 'true')
    await language.fill('xx')
    await save.click()
    await expect(language).toHaveAccessibleDescription(ru.errors.errorLocale)
    await expect(dialog.getByRole('group', { name: ru.snackbar.userSettingsError })).toBeFocused()
    await language.fill('ru')
    let [sent, answer] = [0, () => {}]
    await page.route('**/users/settings', async (route) => {
      sent++
      await new Promise<void>((done) => {
        answer = done
      })
      await route.fallback()
    })
    await save.click()
    await expect(dialog.locator('form')).toHaveAttribute('aria-busy', 'true')
    for (const key of ['Enter', 'Enter']) await language.press(key)
    await save.click({ force: true })
    // nothing closes it while the call runs
    await page.keyboard.press('Escape')
    await settled(page)
    await expect(dialog).toBeVisible()
    await expect(question(page)).toHaveCount(0)
    answer()
    await expect(dialog).toBeHidden()
    await expect(
      page.getByRole('region', { name: ru.common.notices }).getByText(ru.snackbar.userSettings),
    ).toBeVisible()
    expect(sent).toBe(1)
  })

  test('canceling restores the previous values', async ({ page }) => {
    await open(page, `${path}/list`)
    const menu = page.locator('[data-menu] button').first()
    const name = page.getByRole('dialog').getByLabel(t.aliases.name, { exact: true })
    const edit = async () => {
      await menu.click()
      await page.getByRole('menuitem', { name: t.aliases.edit }).click()
    }
    await edit()
    const before = await name.inputValue()
    await name.fill('другое')
    await page.getByRole('dialog').getByRole('button', { name: t.ui.cancel, exact: true }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(menu).toBeFocused()
    await edit()
    await expect(name).toHaveValue(before)
  })

  test('if the person is signed out, the error is shown above the form', { tag: '@full' }, async ({ page }) => {
    await open(page)
    await button(page, t.dialogs.settings).click()
    await page.getByRole('switch', { name: t.dialogs.navMini }).click()
    await button(page, t.ui.save).click()
    await expect(page.getByRole('dialog').getByText(ru.errors.unauthorized)).toBeVisible()
  })

  test('on a phone a long value, a shown secret and an open list of options fit and can be read', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 800 })
    await open(page)
    await button(page, t.ui.secret.show.replace('{what}', t.secret.fresh)).click()
    await expect(button(page, t.ui.secret.hide.replace('{what}', t.secret.fresh))).toBeVisible()
    await page.locator('#fields form').first().getByRole('button', { name: t.fields.one, exact: true }).click()
    await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
    expect(await lookAt(page, { language: 'ru', widths: [360] })).toEqual([])
  })

  test('a combobox works by keyboard: search, choose, clear', { tag: '@full' }, async ({ page }) => {
    await open(page)
    const one = page.locator('#fields form').first().getByRole('button', { name: t.fields.one, exact: true })
    await one.press('Enter')
    await expect(page.locator('[cmdk-input]')).toBeFocused()
    await page.keyboard.type('монтаж-57')
    await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expect(one).toHaveText('ООО «Монтаж-57»')
    await expect(one).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(one).toHaveText(t.ui.form.choose)
    await one.press('Enter')
    await page.keyboard.type('there is none')
    await expect(page.getByText(t.ui.form.nothingFound)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(one).toBeFocused()
  })

  test('a link asks before it discards input', async ({ page }) => {
    await open(page)
    await page.getByLabel(t.fields.text, { exact: true }).first().fill('набрано')
    const away = page.getByRole('link', { name: t.listPage })
    await away.click()
    await button(page, t.ui.unsaved.stay).click()
    await expect(page).toHaveURL(path)
    await expect(page.getByLabel(t.fields.text, { exact: true }).first()).toHaveValue('набрано')
    await away.click()
    await button(page, t.ui.unsaved.leave).click()
    await expect(page).toHaveURL(`${path}/list`)
  })
})

test.describe('a card', () => {
  test('a group is edited in place: the first field has the focus, leaving asks, saving gives the focus back', async ({
    page,
  }) => {
    await open(page, `${path}/card`)
    const { card } = t
    const edit = page.getByRole('button', { name: `${t.ui.edit}: ${card.requisites}`, exact: true })
    await edit.press('Enter')
    const name = page.getByLabel(card.name, { exact: true })
    await expect(name).toBeFocused()
    // the other groups are there as before
    await expect(page.getByRole('heading', { name: card.contacts })).toBeVisible()
    await button(page, t.ui.cancel).click()
    await expect(name).toBeHidden()
    await expect(edit).toBeFocused()

    await edit.press('Enter')
    await name.fill('')
    await button(page, t.ui.save).click()
    await expect(page.getByRole('group', { name: t.ui.form.failed })).toBeFocused()
    await page.getByRole('link', { name: card.tabs.auditor }).click()
    await expect(question(page)).toBeVisible()
    await button(page, t.ui.unsaved.stay).click()
    await name.fill('Монтаж')
    await button(page, t.ui.save).click()
    await expect(name).toBeHidden()
    await expect(edit).toBeFocused()
  })

  test('two actions are buttons, the rest is in a menu; on a phone the second is there too', { tag: '@full' }, async ({
    page,
  }) => {
    await open(page, `${path}/card?tab=history`)
    const { card } = t
    const menu = page.getByRole('button', { name: t.ui.list.rowActions.replace('{row}', card.title) })
    await expect(button(page, card.copy)).toBeVisible()
    await menu.press('Enter')
    await expect(page.getByRole('menuitem')).toHaveText([card.compare, card.end])
    await page.keyboard.press('Escape')
    await expect(menu).toBeFocused()
    await page.setViewportSize({ width: 390, height: 800 })
    await expect(button(page, card.copy)).toBeHidden()
    await menu.click()
    await expect(page.getByRole('menuitem')).toHaveText([card.copy, card.compare, card.end])
    await page.keyboard.press('Escape')

    // an act unfolds by keyboard
    const act = page.locator('summary').filter({ hasText: 'Каталог Полярис' })
    await act.press('Enter')
    await expect(page.locator('details[open] dd').filter({ hasText: 'd.orlov' })).toBeVisible()
    // not by color alone: the old value has a sign and a word, and is struck through
    const removedText = page.locator('details[open] dd').filter({ hasText: '−' }).first()
    await expect(removedText).toContainText(ru.history.view.was)
    await expect(removedText.locator('.line-through').first()).toHaveCSS('text-decoration-line', 'line-through')
  })
})
