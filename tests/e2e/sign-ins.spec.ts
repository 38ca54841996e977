import { createUser } from '../factories/users'
import { expect, test } from './fixtures'
import { languages } from './sign-in-page'
import { asPerson } from './signed-in'
import { en, ru } from './words'

const words = { ru, en }
const path = '/platform/setting/sign-ins'

for (const language of languages) {
  const { 'sign-ins': t, ui } = words[language]

  test(`support learns why somebody can’t sign in, which the person isn’t told, ${language}`, async ({
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

    await asPerson(context, 'support', language)
    await page.goto(path)
    await page.getByRole('textbox', { name: t.search }).fill(login)
    const row = page.getByRole('row').filter({ hasText: fio })
    await expect(row).toHaveCount(1)
    await expect(row.getByText(t.causes.noPassword)).toBeVisible()
    // at once: the search that was typed must not take the page back
    await row.getByRole('link', { name: fio }).click()
    await page.locator('main').getByRole('link', { name: words[language].users.signIns }).click()
    await expect(page.getByRole('table').getByText(t.causes.noPassword)).toBeVisible()
  })

  test(`part of an identifier finds nothing, and who may not read accounts has no log, ${language}`, async ({
    page,
    context,
    database: _,
  }) => {
    await asPerson(context, 'support', language)
    await page.goto(`${path}?filter[search]=support@`)
    await expect(page.getByText(ui.list.noMatchTitle.replace('{search}', 'support@'))).toBeVisible()
    // the open page would leave with the session
    await page.goto('about:blank')
    await asPerson(context, 'services', language)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(words[language].shell.screens.PlatformSignIns)
    await expect(page.getByRole('table')).toHaveCount(0)
  })
}
