import { like } from 'drizzle-orm'
import { db } from '@/db/client'
import { applications } from '@/db/schema/platform'
import { copiedBy } from './clipboard'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { startNextAuth } from './next-auth-application'
import { person } from './people'
import { asOwn, asPerson, pressCreate } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { applications: t, clients: c, ui } = words
const path = '/platform/setting/applications'

const forget = async () => {
  await db().delete(applications).where(like(applications.code, 'e2e-next%'))
}
test.beforeEach(async ({ database: _ }) => forget())
test.afterEach(forget)

test('what the screens give to copy is all that an application with next-auth needs', {
  tag: '@full',
}, async ({ page, context, browser, baseURL }) => {
  const app = await startNextAuth()
  try {
    await asOwn(context, 'administrator', language)
    await page.goto(path)
    await page.getByRole('button', { name: t.create }).click()
    const dialog = page.getByRole('dialog', { name: t.createTitle })
    await dialog.getByLabel(t.name, { exact: true }).fill('E2E Next')
    await dialog.getByLabel(t.url, { exact: true }).fill(`${app.address}/`)
    await dialog.getByRole('button', { name: ui.create, exact: true }).click()
    await page.getByRole('link', { name: 'E2E Next' }).click()
    await page.getByRole('navigation', { name: ui.card.tabs }).getByRole('link', { name: t.clients }).click()
    await pressCreate(page, c.create)
    const making = page.getByRole('dialog', { name: c.createTitle })
    await making.getByLabel(c.name, { exact: true }).fill('Next')
    await making.getByLabel(c.clientId, { exact: true }).fill(`e2e-next-${Date.now()}`)
    await making.getByLabel(`${c.address} 1`).first().fill(`${app.address}/api/auth/callback/platform`)
    await making.getByRole('button', { name: ui.create, exact: true }).click()
    const secret = await copiedBy(page.getByRole('button', { name: ui.secret.copy.replace('{what}', c.secret) }))
    expect(secret).toMatch(/^[\w-]{30,}$/)
    await page.getByRole('tab', { name: c.snippets['next-auth'] }).click()
    const module = await copiedBy(page.getByRole('tabpanel').getByRole('button', { name: c.snippets['next-auth'] }))
    expect(module).toContain('authOptions')
    await app.configure({ module, secret })

    // somebody signs in to it, and out of it
    const { login, email } = await person(['credentials'])
    const theirs = await browser.newContext({ baseURL })
    await asPerson(theirs, login, language)
    const visit = await theirs.newPage()
    await visit.goto(`${app.address}/api/auth/signin`)
    await visit.getByRole('button', { name: 'Sign in with Platform' }).click()
    await expect(visit.getByRole('heading', { level: 1 })).toHaveText(email)
    await visit.goto(`${app.address}/api/auth/signout`)
    await visit.getByRole('button', { name: 'Sign out' }).click()
    await expect(visit.getByRole('heading', { level: 1 })).toHaveText('nobody')
    await theirs.close()
  } finally {
    app.stop()
  }
})
