import { createUser } from '../factories/users'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const path = '/platform/setting/sign-ins'

const { 'sign-ins': t, ui } = words

test('support learns why somebody can’t sign in, which the person isn’t told', async ({
  page,
  context,
  request,
  database: _,
}) => {
  const { login, fio } = await createUser({ passwordHash: null })
  const headers = { origin: process.env.PUBLIC_URL ?? '' }
  await request.get('/api/v1/platform/auth/config/login', { params: { login } })
  const data = { flow: 'credentials', login, password: 'a wrong one' }
  const answer = await request.post('/api/v1/platform/auth/login/login', { data, headers })
  expect(await answer.json()).toMatchObject({ code: 'signInFailed' })

  await asOwn(context, 'support', language)
  await page.goto(path)
  await page.getByRole('textbox', { name: t.search }).fill(login)
  const row = page.getByRole('row').filter({ hasText: fio })
  await expect(row).toHaveCount(1)
  await expect(row.getByText(t.causes.noPassword)).toBeVisible()
  // at once: the search that was typed must not take the page back
  await row.getByRole('link', { name: fio }).click()
  await page.locator('main').getByRole('link', { name: words.users.signIns }).click()
  await expect(page.getByRole('table').getByText(t.causes.noPassword)).toBeVisible()
})

test('part of an identifier finds nothing, and who may not read accounts has no log', { tag: '@full' }, async ({
  page,
  context,
  database: _,
}) => {
  const part = `${(await asOwn(context, 'support', language)).login}@`
  await page.goto(`${path}?filter[search]=${part}`)
  await expect(page.getByText(ui.list.noMatchTitle.replace('{search}', part))).toBeVisible()
  // the open page would leave with the session
  await page.goto('about:blank')
  await asOwn(context, 'employee', language)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(words.shell.screens.PlatformSignIns)
  await expect(page.getByRole('table')).toHaveCount(0)
})
