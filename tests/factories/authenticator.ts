import { randomUUID } from 'node:crypto'
import { db } from '@/db/client'
import { authenticatorApps, recoveryCodes } from '@/db/schema/entry'
import { encrypt } from '@/lib/base/crypto/encryption'
import {
  confirmAuthenticatorApp,
  removeAuthenticatorApp,
  renewRecoveryCodes,
  requestFactorsCode,
  startAuthenticatorApp,
} from '@/lib/my-account/factors/contract'
import { newRecoveryCodes, recoveryCodeHash } from '@/lib/sign-in/factors/totp/recovery-codes'
import { newKey } from '@/lib/sign-in/factors/totp/totp'
import type { Browser } from './browser'
import { lastCodeTo } from './messages'
import { handlerOf } from './routes'
import { codeOf } from './totp'

const askCode = handlerOf(requestFactorsCode)
const start = handlerOf(startAuthenticatorApp)
const confirm = handlerOf(confirmAuthenticatorApp)
const remove = handlerOf(removeAuthenticatorApp)
const renew = handlerOf(renewRecoveryCodes)

type Body = Record<string, unknown>
export const startApp = (browser: Browser, body: Body = {}) => browser.send(start, 'POST', { body })
export const confirmApp = (browser: Browser, body: Body) => browser.send(confirm, 'PUT', { body })
export const removeApp = (browser: Browser, body: Body) => browser.send(remove, 'DELETE', { body })
export const renewCodes = (browser: Browser, body: Body) => browser.send(renew, 'POST', { body })

/** Stores an authenticator app with recovery codes for a person, and returns its key and the codes. */
export async function giveApp(userId: string, sessionId: string | null = randomUUID()) {
  const [key, codes] = [newKey(), newRecoveryCodes()]
  const app = { userId, secret: encrypt('factors', key, userId), lastStep: 0, sessionId }
  await db().insert(authenticatorApps).values(app)
  await db()
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ userId, hash: recoveryCodeHash(userId, code) })))
  return { key, recoveryCodes: codes }
}

/** Begins to set up an app for the person who is signed in by password, with a code to the e-mail. */
export async function startAppByCode(browser: Browser, email: string | null) {
  const asked = await browser.send(askCode, 'POST')
  if (asked.status !== 200) throw new Error(`no code was sent: ${JSON.stringify(asked.body)}`)
  return startApp(browser, { code: await lastCodeTo(email ?? '') })
}

/** Sets up an app for the person who is signed in by password. Returns its key and the recovery codes. */
export async function setUpApp(browser: Browser, email: string | null) {
  const { body } = await startAppByCode(browser, email)
  const key = String(body.key)
  const { status, body: answer } = await confirmApp(browser, { proof: body.proof, code: codeOf(key, -1) })
  if (status !== 200) throw new Error(`no app was set up: ${status} ${JSON.stringify(answer)}`)
  return { key, recoveryCodes: answer.recoveryCodes as string[] }
}
