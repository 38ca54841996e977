import type { BrowserContext, Page } from '@playwright/test'
import { eq, like } from 'drizzle-orm'
import { db } from '@/db/client'
import { networkAliases, networkAliasIps } from '@/db/schema/platform'
import { createRoleWith } from '../factories/access'
import { randomNumbers } from '../factories/random'
import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn, asPerson } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { 'network-aliases': t, ui } = words
const byOneself = {
  ru: { changed: 'Вы изменили запись в другом окне', deleted: 'Вы удалили запись в другом окне' },
  en: { changed: 'You changed this in another window', deleted: 'You deleted this in another window' },
}[language]
const path = '/platform/setting/network-aliases'
const name = 'E2E conflict'
const forget = () =>
  db()
    .delete(networkAliases)
    .where(like(networkAliases.name, `${name}%`))
test.beforeEach(async ({ database: _ }) => {
  await forget()
  const [alias] = await db().insert(networkAliases).values({ name }).returning()
  await db()
    .insert(networkAliasIps)
    .values({ aliasId: alias?.id ?? '', ip: '10.78.0.0/24' })
})
test.afterEach(forget)

/** Another person who may change aliases. */
async function another(context: BrowserContext) {
  const fio = 'Орлов Дмитрий'
  const roles = ['user', await createRoleWith(['network-aliases.write'])]
  const user = await createUser({ roles, fio, lastName: 'Орлов', firstName: 'Дмитрий' })
  await asPerson(context, user.login, language)
  return { fio, page: await context.newPage() }
}
const dialogIn = (page: Page) => page.getByRole('dialog')
const field = (page: Page, label: string) => dialogIn(page).getByLabel(label, { exact: true })
const panel = (page: Page) => dialogIn(page).getByRole('group', { name: ui.conflict.label })
const choice = (page: Page, label: string, side: 'theirs' | 'mine' | 'before') =>
  panel(page).getByRole('group', { name: label }).getByRole('radio', { name: ui.conflict[side] })
const button = (page: Page, label: string) => dialogIn(page).getByRole('button', { name: label, exact: true })
async function edit(page: Page) {
  await page.goto(`${path}?filter[search]=${name}`)
  await page.getByRole('row').filter({ hasText: name }).getByRole('button').click()
  await page.getByRole('menuitem', { name: ui.edit }).click()
}
/** Saves in the other browser the form that it opened before. */
async function saveAs(page: Page, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) await field(page, label).fill(value)
  await button(page, ui.save).click()
  await expect(dialogIn(page)).toBeHidden()
}
const stored = async () => {
  const [alias] = await db()
    .select()
    .from(networkAliases)
    .where(like(networkAliases.name, `${name}%`))
  return { name: alias?.name, comment: alias?.comment }
}

test('when two people save one alias, the second sees who saved what, and merges by choice', async ({
  page,
  context,
  browser,
  axe,
}) => {
  const theirs = await browser.newContext({ baseURL: process.env.PUBLIC_URL ?? '' })
  const other = await another(theirs)
  await asOwn(context, 'administrator', language)
  await edit(page)
  await edit(other.page)
  await saveAs(other.page, { [t.name]: `${name}, их`, [t.comment]: 'их' })

  await field(page, t.comment).fill('мой')
  await field(page, t.ip).fill('10.79.0.0/24')
  await button(page, ui.save).click()
  await expect(panel(page)).toBeFocused()
  await expect(panel(page)).toContainText(other.fio)
  // fields that only the other person changed are taken, fields that both changed need a choice, and nobody asks about
  // fields that only this form changed
  await expect(choice(page, t.name, 'theirs')).toBeChecked()
  await expect(field(page, t.name)).toHaveValue(`${name}, их`)
  await expect(choice(page, t.comment, 'theirs')).not.toBeChecked()
  await expect(choice(page, t.comment, 'mine')).not.toBeChecked()
  await expect(panel(page).getByRole('group')).toHaveCount(2)
  await axe(page)

  await button(page, ui.save).click()
  await expect(panel(page).getByText(ui.conflict.choose)).toBeVisible()
  await expect(choice(page, t.comment, 'theirs')).toBeFocused()
  expect(await stored()).toEqual({ name: `${name}, их`, comment: 'их' })
  await page.keyboard.press('Space')
  await expect(field(page, t.comment)).toHaveValue('их')
  await page.keyboard.press('ArrowDown')
  await expect(field(page, t.comment)).toHaveValue('мой')
  await button(page, ui.save).click()
  await expect(dialogIn(page)).toBeHidden()
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('10.79.0.0/24')
  expect(await stored()).toEqual({ name: `${name}, их`, comment: 'мой' })
  await theirs.close()
})

test('rows that were removed, added and changed before a conflict are displayed and saved as they are', {
  tag: '@full',
}, async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  const random = randomNumbers(7)
  const ips = dialogIn(page).getByLabel(t.ip, { exact: true })
  const shownAddresses = () => ips.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
  for (let round = 0; round < 6; round++) {
    await forget()
    const [alias] = await db().insert(networkAliases).values({ name }).returning()
    const aliasId = alias?.id ?? ''
    const expected = ['10.80.1.0/24', '10.80.2.0/24', '10.80.3.0/24']
    await db()
      .insert(networkAliasIps)
      .values(expected.map((ip) => ({ aliasId, ip })))
    await edit(page)
    await expect.poll(async () => (await shownAddresses()).toSorted()).toEqual(expected)
    expected.splice(0, 3, ...(await shownAddresses()))
    for (let step = 0; step < 1 + random(4); step++) {
      const at = random(expected.length)
      const ip = `10.81.${round}.${step * 16}/28`
      // the first round removes a row, the second adds one
      const act = round < 2 && step === 0 ? round : random(3)
      if (act === 0 && expected.length > 1) {
        await dialogIn(page)
          .getByRole('button', { name: new RegExp(`^${ui.form.removeRow.split(':')[0]}:`) })
          .nth(at)
          .click()
        expected.splice(at, 1)
      } else if (act === 1) {
        await button(page, t.addIp).click()
        await ips.last().fill(ip)
        expected.push(ip)
      } else {
        await ips.nth(at).fill(ip)
        expected[at] = ip
      }
    }
    // somebody else saves something that this person has not touched
    await db()
      .update(networkAliases)
      .set({ comment: `их ${round}`, updatedAt: new Date(Date.now() + 1_000) })
      .where(eq(networkAliases.id, aliasId))
    await button(page, ui.save).click()
    await expect(panel(page), `round ${round}`).toBeVisible()
    expect(await shownAddresses(), `round ${round}`).toEqual(expected)
    await expect(field(page, t.comment)).toHaveValue(`их ${round}`)
    await button(page, ui.save).click()
    await expect(dialogIn(page), `round ${round}`).toBeHidden()
    const rows = await db().select().from(networkAliasIps).where(eq(networkAliasIps.aliasId, aliasId))
    expect(rows.map(({ ip }) => ip).toSorted(), `round ${round}`).toEqual(expected.toSorted())
    expect((await stored()).comment).toBe(`их ${round}`)
  }
})

test('in two windows of one person: they take the new value or keep their own, also after a second conflict', {
  tag: '@full',
}, async ({ page, context }) => {
  await asOwn(context, 'administrator', language)
  const second = await context.newPage()
  await edit(page)
  await edit(second)
  await saveAs(second, { [t.comment]: 'первое' })
  await field(page, t.comment).fill('моё')
  await button(page, ui.save).click()
  await expect(panel(page)).toContainText(byOneself.changed)
  await button(page, ui.conflict.takeTheirs).click()
  await expect(field(page, t.comment)).toHaveValue('первое')
  // there is no unsaved input, so it closes without a question
  await page.keyboard.press('Escape')
  await expect(dialogIn(page)).toBeHidden()
  await expect(page.getByRole('row').filter({ hasText: 'первое' })).toBeVisible()

  await edit(page)
  await edit(second)
  await saveAs(second, { [t.comment]: 'второе' })
  await field(page, t.comment).fill('моё')
  await button(page, ui.save).click()
  await expect(panel(page)).toBeFocused()
  await edit(second)
  await saveAs(second, { [t.comment]: 'третье' })
  await button(page, ui.conflict.keepMine).click()
  await button(page, ui.save).click()
  await expect(panel(page)).toContainText('третье')
  await expect(field(page, t.comment)).toHaveValue('моё')
  await button(page, ui.conflict.keepMine).click()
  await button(page, ui.save).click()
  await expect(dialogIn(page)).toBeHidden()
  expect(await stored()).toEqual({ name, comment: 'моё' })
})

test('when somebody deleted an alias, the input stays, and can be copied or created again', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await asOwn(context, 'administrator', language)
  await edit(page)
  await field(page, t.comment).fill('набрано')
  const [alias] = await db().select().from(networkAliases).where(eq(networkAliases.name, name))
  const second = await context.newPage()
  await second.goto(path)
  const answer = await second.evaluate(
    async (id) => (await fetch(`/api/v1/platform/setting/network-aliases/${id}`, { method: 'DELETE' })).status,
    alias?.id,
  )
  expect(answer).toBe(200)
  await button(page, ui.save).click()
  const deletedRows = dialogIn(page).getByRole('group', { name: ui.conflict.goneLabel })
  await expect(deletedRows).toBeFocused()
  await expect(deletedRows).toContainText(byOneself.deleted)
  await button(page, ui.conflict.copyTyped).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`${t.name}: ${name}\n${t.addresses}: 10.78.0.0/24\n${t.comment}: набрано`)
  await button(page, ui.conflict.createAgain).click()
  await expect(dialogIn(page)).toBeHidden()
  await expect(page.getByRole('row').filter({ hasText: 'набрано' })).toBeVisible()
  expect(await stored()).toEqual({ name, comment: 'набрано' })
})
