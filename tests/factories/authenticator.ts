import { confirmAuthenticatorApp, startAuthenticatorApp } from '@/lib/my-account/factors/contract'
import type { Browser } from './browser'
import { handlerOf } from './routes'
import { codeOf } from './totp'

const start = handlerOf(startAuthenticatorApp)
const confirm = handlerOf(confirmAuthenticatorApp)

export const startApp = (browser: Browser, body: Record<string, unknown> = {}) => browser.send(start, 'POST', { body })
export const confirmApp = (browser: Browser, body: Record<string, unknown>) => browser.send(confirm, 'PUT', { body })

/**
 * Sets up an authenticator app for the person who is signed in. Its first code is that of the step before, so that the
 * current one is still unused. Returns the key and the recovery codes.
 */
export async function setUpApp(browser: Browser): Promise<{ key: string; recoveryCodes: string[] }> {
  const { body } = await startApp(browser)
  const key = String(body.key)
  const { status, body: answer } = await confirmApp(browser, { proof: body.proof, code: codeOf(key, -1) })
  if (status !== 200) throw new Error(`no app was set up: ${status} ${JSON.stringify(answer)}`)
  return { key, recoveryCodes: answer.recoveryCodes as string[] }
}
