import { afterAll, beforeAll, expect, test } from 'vitest'
import { Browser } from '../../factories/browser'
import { createClient, follow, redirectUri, request, startProvider, visit } from '../../factories/oidc'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

test('a session without an account gets another id at sign-in, so a planted one is worthless', async () => {
  const { config } = await createClient(running)
  const browser = new Browser()
  await visit(running, browser, '/oidc/device')
  const planted = browser.cookies.get('oidc_session')
  expect(planted).toBeDefined()
  await signInByPassword(browser, (await createUser()).login, password)
  const { url } = await request(config)
  expect((await follow(running, browser, url)).url.href).toContain(redirectUri)
  expect(browser.cookies.get('oidc_session')).not.toBe(planted)
})
