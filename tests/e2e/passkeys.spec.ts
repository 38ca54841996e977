import { generateKeyPairSync } from 'node:crypto'
import type { CDPSession, Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { passkeys as passkeyRows } from '@/db/schema/entry'
import { giveKey } from '../factories/passkey'
import { expect, test } from './fixtures'
import { person, speak } from './people'
import { SignInPage } from './sign-in-page'
import { takenOver } from './signed-in'
import { spokenIn } from './spoken'

const { language, words } = spokenIn(import.meta.filename)
const { passkey } = words.entry
const { passkeys, factors } = words.account

let form: SignInPage
test.beforeEach(async ({ page, context, baseURL }) => {
  await speak(context, language, baseURL)
  form = new SignInPage(page, language)
})

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
/** Ends the session, away from the page, which would otherwise leave by itself at the same time. */
async function leave(page: Page) {
  await page.goto('about:blank')
  await page.context().clearCookies({ name: 'platform-session' })
}

/** An authenticator of Chromium, which asks nobody. */
class Device {
  private constructor(
    readonly client: CDPSession,
    readonly authenticatorId: string,
  ) {}

  static async of(page: Page): Promise<Device> {
    const client = await page.context().newCDPSession(page)
    await client.send('WebAuthn.enable', { enableUI: false })
    const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return new Device(client, authenticatorId)
  }

  credentials = async () =>
    (await this.client.send('WebAuthn.getCredentials', { authenticatorId: this.authenticatorId })).credentials
  /** Whether it verifies the person: a wrong finger if not. */
  verify = (isUserVerified: boolean) =>
    this.client.send('WebAuthn.setUserVerified', { authenticatorId: this.authenticatorId, isUserVerified })
  /** Whether the person does anything at all. */
  respond = (enabled: boolean) =>
    this.client.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: this.authenticatorId, enabled })
}

test('added where it is offered, with a code to the e-mail; signs in alone; renamed and removed', async ({
  page,
  outbox,
  database: _,
}) => {
  const device = await Device.of(page)
  const user = await person(['credentials', 'passkey'])
  await form.signIn(user.login)
  // it is offered once, on the way
  await expect(heading(page)).toHaveText(passkeys.offer)
  await takenOver(page)
  await page.getByRole('button', { name: passkeys.create }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: words.account.code.send }).click()
  await dialog.getByLabel(factors.ownCode).fill((await outbox(user.email)).code)
  await device.verify(false)
  await dialog.getByRole('button', { name: passkeys.create }).click()
  // who cancels at the device tries again, without another code
  await expect(dialog).toContainText(words.errors.passkeyCanceled)
  await expect(dialog.getByLabel(factors.ownCode)).toHaveCount(0)
  await device.verify(true)
  await dialog.getByRole('button', { name: passkeys.create }).click()
  await expect(page).toHaveURL('/platform/profile')
  expect(await device.credentials()).toHaveLength(1)

  // the field of the identifier offers the passkey, and this person takes it at once
  await leave(page)
  await form.open()
  await expect(page).toHaveURL('/platform/profile')
  await page.goto('/platform/profile/personal')
  await takenOver(page)
  await expect(page.getByText(passkeys.neverUsed)).toHaveCount(0)

  const row = page.getByRole('listitem').filter({ hasText: passkeys.usedAt })
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: passkeys.rename }).click()
  await dialog.getByLabel(passkeys.name, { exact: true }).fill('Work laptop')
  await dialog.getByRole('button', { name: passkeys.save }).click()
  await expect(row).toContainText('Work laptop')
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: passkeys.remove }).click()
  await dialog.getByRole('button', { name: passkeys.removeConfirm, exact: true }).click()
  await expect(page.getByText(passkeys.noneText)).toBeVisible()
})

/** Gives the device a passkey of this person, as if it had been added earlier. */
async function withPasskey(device: Device, userId: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const authenticator = await giveKey(userId, { keys: { privateKey, publicKey }, counter: 0 })
  await device.client.send('WebAuthn.addCredential', {
    authenticatorId: device.authenticatorId,
    credential: {
      credentialId: authenticator.id.toString('base64'),
      isResidentCredential: true,
      rpId: 'localhost',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
      userHandle: Buffer.from(authenticator.userHandle ?? '', 'base64url').toString('base64'),
      signCount: 0,
    },
  })
  return authenticator
}

test('as the second factor: canceled, then a wrong finger, then the right one', async ({ page, database: _ }) => {
  const user = await person(['credentials'], ['passkey'])
  const device = await Device.of(page)
  await withPasskey(device, user.id)
  await device.respond(false)
  await form.signIn(user.login)
  await expect(heading(page)).toHaveText(passkey.title)
  const use = page.getByRole('button', { name: passkey.use })
  await expect(use).toBeFocused()
  await device.respond(true)
  await device.verify(false)
  await use.click()
  await expect(page.getByRole('status').filter({ hasText: passkey.canceled })).toBeVisible()
  await device.verify(true)
  await use.click()
  await expect(page).toHaveURL('/platform/profile')
})

test('a passkey that was removed is refused, and the person goes on by password', async ({ page, database: _ }) => {
  const user = await person(['credentials', 'passkey'])
  const device = await Device.of(page)
  await device.respond(false)
  const { credentialId } = await withPasskey(device, user.id)
  await db().delete(passkeyRows).where(eq(passkeyRows.credentialId, credentialId))
  await form.open()
  await device.respond(true)
  await page.getByRole('button', { name: passkey.signIn }).click()
  await expect(page.getByRole('alert', { name: words.errors.errorPasskeyUnknown })).toBeVisible()
  await form.enterIdentifier(user.login)
  await form.enterPassword()
  await page.getByRole('link', { name: passkeys.notNow }).click()
  await expect(page).toHaveURL('/platform/profile')
  await leave(page)
  await form.signIn(user.login)
  await expect(page).toHaveURL('/platform/profile')
})

test('an authenticator whose counter stands still may be a copy', async ({ page, database: _ }) => {
  const user = await person(['passkey'])
  const device = await Device.of(page)
  const { credentialId } = await withPasskey(device, user.id)
  await db().update(passkeyRows).set({ signCount: 100 }).where(eq(passkeyRows.credentialId, credentialId))
  await form.open()
  await expect(page.getByRole('alert', { name: words.errors.errorPasskey })).toBeVisible()
  await expect(page).toHaveURL(/\/platform\/login/)
})

test('who has nothing but a password beside it removes a passkey by the passkey', async ({ page, database: _ }) => {
  const user = await person(['credentials', 'passkey'], [], { email: null, mobile: null })
  const device = await Device.of(page)
  await withPasskey(device, user.id)
  await device.respond(false)
  await form.signIn(user.login)
  await expect(page).toHaveURL('/platform/profile')
  await page.goto('/platform/profile/personal')
  await takenOver(page)
  await page.getByRole('listitem').filter({ hasText: passkeys.neverUsed }).getByRole('button').click()
  await page.getByRole('menuitem', { name: passkeys.remove }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(factors.proofByPasskey)
  await device.respond(true)
  await device.verify(false)
  await dialog.getByRole('button', { name: passkeys.removeConfirm, exact: true }).click()
  await expect(dialog).toContainText(words.errors.passkeyUnused)
  await device.verify(true)
  await dialog.getByRole('button', { name: passkeys.removeConfirm, exact: true }).click()
  await expect(page.getByText(passkeys.noneText)).toBeVisible()
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a step that asks for a passkey says what it needs, and offers the other ways', async ({
    page,
    database: _,
  }) => {
    const user = await person(['passkey', 'credentials'])
    await form.open()
    await expect(page.getByRole('button', { name: passkey.signIn })).toHaveCount(0)
    await form.enterIdentifier(user.login)
    await expect(heading(page)).toHaveText(passkey.title)
    await expect(page.getByText(passkey.script)).toBeVisible()
    await page.getByRole('button', { name: words.entry.flows.credentials }).click()
    await form.enterPassword()
    await page.getByRole('link', { name: words.account.passkeys.notNow }).click()
    await expect(page).toHaveURL('/platform/profile')
  })
})
