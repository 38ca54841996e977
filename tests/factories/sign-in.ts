import { sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { getUserSettings } from '@/lib/my-account/settings/contract'
import { buildContext } from '@/lib/request/build'
import { cookieJar } from '@/lib/request/cookies'
import type { IdAttribute } from '@/lib/sign-in/attempts/contract'
import { authConfig, authLogin, authLogout } from '@/lib/sign-in/attempts/contract'
import { startSession } from '@/lib/sign-in/sessions/service'
import type { Browser } from './browser'
import { handlerOf } from './routes'

const config = handlerOf(authConfig)
const login = handlerOf(authLogin)
const logout = handlerOf(authLogout)
const settings = handlerOf(getUserSettings)

export const begin = (
  browser: Browser,
  identifier: string,
  kind: IdAttribute = 'login',
  query: Record<string, string> = {},
) => browser.send(config, 'GET', { params: { idAttribute: kind }, query: { [kind]: identifier, ...query } })

export const prove = (
  browser: Browser,
  identifier: string,
  body: Record<string, unknown>,
  kind: IdAttribute = 'login',
) =>
  browser.send(login, 'POST', {
    params: { idAttribute: kind },
    body: { flow: 'credentials', [kind]: identifier, ...body },
  })

/** Signs in by password with both steps. Returns the answer of the second. */
export async function signInByPassword(
  browser: Browser,
  identifier: string,
  password: string,
  kind: IdAttribute = 'login',
) {
  await begin(browser, identifier, kind)
  return prove(browser, identifier, { password }, kind)
}

/**
 * Signs an account in by the step with which every way of signing in ends, without a password, for tests that aren't
 * about signing in: hashing one takes longer than most calls.
 */
export async function startSessionOf(browser: Browser, userId: string, proven: string[] = ['credentials']) {
  const { host, cookie, userAgent, ip } = browser
  const jar = cookieJar(cookie)
  const headers = new Headers({ host, cookie, 'user-agent': userAgent, 'x-platform-ip': ip })
  const { ctx } = await buildContext(headers, jar.cookies)
  const origin = { schema: 'base', proven }
  const session = await startSession(db(), ctx, userId, sql`select 1`, origin, { kind: 'login' })
  await session?.afterCommit()
  browser.keep(jar.headers())
}

export const signOut = (browser: Browser) => browser.send(logout, 'POST')

/** Returns the status of a call that requires a session: 200 if the browser is signed in, otherwise 401. */
export const signedInStatus = async (browser: Browser) => (await browser.send(settings, 'GET')).status
