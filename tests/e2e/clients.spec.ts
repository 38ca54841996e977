import { like } from 'drizzle-orm'
import { db } from '@/db/client'
import { applications } from '@/db/schema/platform'
import { invalidate } from '@/lib/base/cache/cache'
import { newClient } from '../factories/administered-applications'
import { newApplication } from '../factories/applications'
import { copiedBy } from './clipboard'
import { expect } from './fixtures'
import { test } from './lasting-context'
import { asOwn } from './signed-in'
import { spokenIn } from './spoken'

// docs/rules/administration-screens.md#applications

const { language, words } = spokenIn(import.meta.filename)
const { clients: c, ui, errors, snackbar } = words
const prefix = 'e2e-clients-'

const forget = async () => {
  await db()
    .delete(applications)
    .where(like(applications.code, `${prefix}%`))
}
test.beforeEach(async ({ database: _ }) => forget())
test.afterAll(forget)
const anApplication = () => newApplication({ type: 'link', code: `${prefix}${Date.now()}`, name: 'E2E Client' })

test('a client’s secret is replaced, the previous one works until it is ended, and nothing works once it is disabled', async ({
  page,
  context,
  baseURL,
}) => {
  const application = await anApplication()
  const { clientId } = await newClient(application)
  await db().transaction((tx) => invalidate(tx, 'oidc-clients'))
  /** What the token endpoint says of a secret: a right one gets as far as the code. */
  const tried = async (secret: string) => {
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: 'none',
      redirect_uri: 'https://x.example',
    })
    const headers = { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` }
    return (await (await fetch(`${baseURL}/oidc/token`, { method: 'POST', body, headers })).json()).error
  }
  const first = `${clientId}-Qx7e`
  await expect.poll(() => tried(first)).toBe('invalid_grant')

  await asOwn(context, 'administrator', language)
  await page.goto(`/platform/setting/applications/${application.id}?tab=clients`)
  const menu = async (label: string) => {
    const actionsName = ui.list.rowActions.replace('{row}', 'Client')
    await page.getByRole('button', { name: actionsName, exact: true }).click()
    await page.getByRole('menuitem', { name: label }).click()
  }
  await page.getByRole('button', { name: c.rotate, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(c.overlap, { exact: true }).click()
  await page.getByRole('option', { name: c.overlaps.hour }).click()
  await dialog.getByRole('button', { name: c.rotateVerb, exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(c.previousSecret, { exact: true })).toBeVisible()
  const second = await copiedBy(page.getByRole('button', { name: ui.secret.copy.replace('{what}', c.secret) }))
  expect(second).toMatch(/^[\w-]{43,}$/)
  // no secret stands in the page
  for (const secret of [first, second]) expect(await page.content()).not.toContain(secret)
  await expect.poll(() => tried(second)).toBe('invalid_grant')
  expect(await tried(first)).toBe('invalid_grant')

  await menu(c.endPrevious)
  await page.getByRole('alertdialog').getByRole('button', { name: /\S/ }).last().click()
  await expect(page.getByText(c.previousSecret, { exact: true })).toHaveCount(0)
  await expect.poll(() => tried(first)).toBe('invalid_client')
  expect(await tried(second)).toBe('invalid_grant')

  await menu(c.disable)
  await page.getByRole('alertdialog').getByRole('button', { name: c.disable, exact: true }).click()
  await expect.poll(() => tried(second)).toBe('invalid_client')
  await menu(c.delete)
  await page.getByRole('alertdialog').getByRole('button', { name: c.delete, exact: true }).click()
  await expect(page.getByText(c.emptyTitle)).toBeVisible()
  await expect(page.getByText(snackbar.clientDelete)).toBeVisible()
})

test('a client with wrong addresses isn’t saved, and each error stands at its line', { tag: '@full' }, async ({
  page,
  context,
}) => {
  const application = await anApplication()
  await newClient(application)
  await asOwn(context, 'administrator', language)
  await page.goto(`/platform/setting/applications/${application.id}?tab=clients`)
  await page.getByRole('button', { name: `${ui.edit}: ${c.addresses}` }).click()
  const lines = page.getByRole('group', { name: c.redirectUris, exact: true })
  const save = page.getByRole('button', { name: ui.save, exact: true })
  for (const [address, error] of [
    ['http://app.example/callback', errors.errorClientAddress],
    ['https:app.example/callback', errors.errorClientAddress],
    ['https://*.app.example/callback', errors.errorWildcard],
    ['com.example.app:/callback', errors.errorNativeAddress],
  ] as const) {
    await lines.getByLabel(`${c.address} 1`, { exact: true }).fill(address)
    await save.click()
    await expect(lines.getByText(error), address).toBeVisible()
  }
  const again = await context.newPage()
  await again.goto(page.url())
  // a streamed part stands twice for a moment
  const callback = again.getByText('https://app.example/callback', { exact: true }).filter({ visible: true })
  await expect(callback).toBeVisible()
})
