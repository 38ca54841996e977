import { expect, type Page } from '@playwright/test'
import { ru } from '../e2e/words'
import { adminPassword, type Instance } from './instance'

const { applications: t, clients: c, ui } = ru

/** Enters a person's login and password on the sign-in page that is open. */
export async function enter(page: Page, login: string, password: string) {
  await page.getByLabel('Логин, почта или телефон', { exact: true }).fill(login)
  await page.getByRole('button', { name: ru.common.continue }).click()
  await page.getByLabel(ru.entry.credentials.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: ru.common.signIn, exact: true }).click()
}

/** Signs the administrator of an instance in. */
export async function asAdministrator(page: Page, { url, env }: Instance) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
  await page.goto(`${url}/platform/login`)
  await enter(page, env.ADMIN_LOGIN, adminPassword)
  await page.waitForURL(/\/platform\/(profile|apps)/)
}

type Wanted = { name: string; address: string; redirect: string; afterSignOut: string; backchannel: string }

/** Makes an application and its client in the screens, and copies what they show. */
export async function makeApplication(page: Page, { url }: Instance, wishes: Wanted) {
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await page.goto(`${url}/platform/setting/applications`)
  await page.getByRole('button', { name: t.create }).first().click()
  const dialog = page.getByRole('dialog', { name: t.createTitle })
  await dialog.getByLabel(t.name, { exact: true }).fill(wishes.name)
  await dialog.getByLabel(t.url, { exact: true }).fill(wishes.address)
  await dialog.getByRole('button', { name: ui.create, exact: true }).click()
  await page.getByRole('link', { name: wishes.name, exact: true }).click()
  await page.getByRole('navigation', { name: ui.card.tabs }).getByRole('link', { name: t.clients }).click()
  await page.getByRole('button', { name: c.create }).first().click()
  const making = page.getByRole('dialog', { name: c.createTitle })
  const clientId = `broker-${Date.now()}`
  await making.getByLabel(c.name, { exact: true }).fill(wishes.name)
  await making.getByLabel(c.clientId, { exact: true }).fill(clientId)
  for (const [label, address] of [
    [c.redirectUris, wishes.redirect],
    [c.postLogoutRedirectUris, wishes.afterSignOut],
  ] as const) {
    const lines = making.getByRole('group', { name: label, exact: true })
    const line = lines.getByLabel(`${c.address} 1`, { exact: true })
    if (!(await line.isVisible())) await lines.getByRole('button', { name: c.addAddress }).click()
    await line.fill(address)
  }
  await making.getByLabel(c.backchannelLogoutUri, { exact: true }).fill(wishes.backchannel)
  await making.getByRole('button', { name: ui.create, exact: true }).click()
  await page.getByRole('button', { name: ui.secret.copy.replace('{what}', c.secret) }).click()
  await expect.poll(copied).toMatch(/^[\w-]{30,}$/)
  const clientSecret = await copied()
  await page.getByRole('button', { name: `${ui.copy}: ${c.issuer}` }).click()
  await expect.poll(copied).toMatch(/\/oidc$/)
  return { clientId, clientSecret, issuer: await copied(), page: page.url() }
}

/** Lets the client whose page is open sign people in without PKCE. */
export async function allowWithoutPkce(page: Page) {
  await page.getByRole('button', { name: `${ui.edit}: ${c.addresses}` }).click()
  await page.getByRole('switch', { name: c.pkceRequired }).click()
  await page.getByRole('button', { name: ui.save, exact: true }).click()
  await expect(page.getByText(c.pkceOff, { exact: true })).toBeVisible()
}
