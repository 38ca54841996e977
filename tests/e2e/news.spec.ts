import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { news, newsLocales, roles, userRoles } from '@/db/schema'
import { createRoleWith } from '../factories/access'
import { localeId } from '../factories/platform'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { person } from './people'
import { asOwn, asPerson, pressCreate, takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { news: t, notices, snackbar, ui, errors } = words
const path = '/platform/setting/news'

/** A role with these methods. */
async function roleWith(codes: string[]) {
  const code = await createRoleWith(codes)
  const [role] = await db().select().from(roles).where(eq(roles.code, code))
  if (!role) throw new Error('there is no role')
  return role
}

/** A role, by which the news of a test concern its own people alone, and somebody who holds it. */
async function reader() {
  const role = await roleWith([])
  const someone = await person(['credentials'])
  await db().insert(userRoles).values({ userId: someone.id, roleId: role.id })
  return { role, ...someone }
}

/** A draft for the people of a role. */
async function draftFor(roleId: string, title: string, text = 'Ночью будут работы.') {
  const [row] = await db().insert(news).values({ audience: 'role', audienceId: roleId }).returning()
  const newsId = row?.id ?? ''
  await db()
    .insert(newsLocales)
    .values({ newsId, localeId: await localeId('ru'), title, text })
  return newsId
}

test('news are written, looked at, published once, read at once, and taken back', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  const { role, login } = await reader()
  const title = `Работы ${randomUUID().slice(0, 8)}`
  const theirs = await browser.newContext({ baseURL })
  await asPerson(theirs, login, language)
  const open = await theirs.newPage()
  await open.goto('/platform/notify')
  await takenOver(open)

  await asOwn(context, 'administrator', language)
  await page.goto(path)
  await pressCreate(page, t.create)
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  await dialog.getByRole('combobox', { name: t.audience }).click()
  await page.getByRole('option', { name: t.audiences.role, exact: true }).click()
  await dialog.getByRole('button', { name: t.audiences.role }).click()
  await page.getByRole('combobox', { name: t.audiences.role }).fill(role.name)
  const called = language === 'en' ? (role.nameEn ?? role.name) : role.name
  await page.getByRole('option', { name: called, exact: true }).click()
  await dialog.getByLabel(t.title, { exact: true }).fill(title)
  await dialog.getByLabel(t.text, { exact: true }).fill('<b>Ночью</b> {name}\nс 2 до 4')
  await dialog.getByRole('button', { name: ui.create }).click()
  await expect(page.getByText(snackbar.newsCreate)).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: title })
  await expect(row).toContainText(t.statuses.draft)

  await row.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: t.publish }).click()
  const asked = page.getByRole('dialog', { name: t.publishTitle.replace('{name}', title) })
  await expect(asked.getByText('<b>Ночью</b> {name}')).toBeVisible()
  await expect(asked.frameLocator('iframe').getByRole('heading', { name: title })).toBeVisible()
  await asked.getByRole('button', { name: t.publish }).click()
  await expect(page.getByText(snackbar.newsPublish)).toBeVisible()

  // the reader's open page shows them without being asked
  await expect(open.locator('main').getByRole('link', { name: title })).toHaveCount(1)
  await expect(open.locator('main').getByText('<b>Ночью</b> {name}')).toBeVisible()
  await expect(async () => {
    await page.reload()
    await expect(row).toContainText(t.statuses.published, { timeout: 1000 })
  }).toPass()

  await row.getByRole('button').last().click()
  await expect(page.getByRole('menuitem', { name: t.publish })).toHaveCount(0)
  await page.getByRole('menuitem', { name: t.withdraw }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: t.withdraw }).click()
  await expect(page.getByText(snackbar.newsWithdraw)).toBeVisible()
  await expect(open.locator('main').getByRole('link', { name: title })).toHaveCount(0)
  await expect(open.getByText(notices.empty)).toBeVisible()
  await theirs.close()
})

test('a draft without words is refused, and so is what somebody changed after it was looked at', {
  tag: '@full',
}, async ({ page, context }) => {
  const { role } = await reader()
  const title = `Правка ${randomUUID().slice(0, 8)}`
  const newsId = await draftFor(role.id, title)
  await asOwn(context, 'administrator', language)
  await page.goto(`${path}?filter[search]=${title}`)
  await pressCreate(page, t.create)
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  await dialog.getByRole('button', { name: ui.create }).click()
  await expect(dialog.getByText(errors.errorEmpty).first()).toBeVisible()
  await expect(dialog.getByRole('tab', { name: /2/ })).toBeVisible()
  await page.keyboard.press('Escape')

  const row = page.getByRole('row').filter({ hasText: title })
  await row.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: t.publish }).click()
  const asked = page.getByRole('dialog', { name: t.publishTitle.replace('{name}', title) })
  await expect(asked.getByText('Ночью будут работы.').first()).toBeVisible()
  await db().update(newsLocales).set({ text: 'Работ не будет.' }).where(eq(newsLocales.newsId, newsId))
  await db().update(news).set({ audience: 'role' }).where(eq(news.id, newsId))
  await asked.getByRole('button', { name: t.publish }).click()
  // the dialog says so, and shows what would be published now
  await expect(asked.getByText(t.changedMeanwhile)).toBeVisible()
  await expect(asked.getByText('Работ не будет.').first()).toBeVisible()
  const [unchanged] = await db()
    .select()
    .from(news)
    .where(and(eq(news.id, newsId), eq(news.status, 'draft')))
  expect(unchanged).toBeDefined()
})

test('whoever may only read news looks at them and changes nothing', {
  tag: '@full',
}, async ({ page, context }) => {
  const role = await roleWith(['news.read'])
  const { id, login } = await person(['credentials'])
  await db().insert(userRoles).values({ userId: id, roleId: role.id })
  const title = `Черновик ${randomUUID().slice(0, 8)}`
  await draftFor(role.id, title)
  await asPerson(context, login, language)
  await page.goto(`${path}?filter[search]=${title}`)
  const row = page.getByRole('row').filter({ hasText: title })
  await expect(row).toBeVisible()
  await expect(page.getByRole('button', { name: t.create })).toHaveCount(0)
  // the name of a role is for those who may read roles
  await expect(row).not.toContainText(role.name)
  await row.getByRole('button').last().click()
  await expect(page.getByRole('menuitem')).toHaveCount(1)
  await page.getByRole('menuitem', { name: t.preview }).click()
  const preview = page.getByRole('dialog', { name: t.previewTitle.replace('{name}', title) })
  await expect(preview.getByText(title).first()).toBeVisible()
  await expect(preview.getByRole('button', { name: t.publish })).toHaveCount(0)
})
