import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { redis } from '@/lib/base/redis/redis'
import ru from '@/messages/ru/oidc.json'
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

const counted = () => redis().keys('limit:oidc-strangers:*')
afterEach(async () => {
  const keys = await counted()
  if (keys.length > 0) await redis().del(keys)
})

test('a caller who isn’t signed in can’t fill the queue without limit; signed-in people continue', async () => {
  const { config } = await createClient(running)
  const { url } = await request(config)
  const [stranger, signedIn] = [new Browser(), new Browser()]
  await signInByPassword(signedIn, (await createUser()).login, password)
  expect((await follow(running, stranger, url)).url.pathname).toBe('/platform/login')
  const [key = ''] = await counted()
  expect(await redis().get(key)).toBe('1')
  await redis().set(key, '600', 'KEEPTTL')

  const keysBefore = await redis().keys('oidc:*')
  const refused = await visit(running, new Browser(), url)
  // not at the application, which can't help
  expect([refused.status, refused.headers.get('location')]).toEqual([429, null])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.text()).toContain(ru.oidc.failure.unavailable.title)
  expect(await redis().keys('oidc:*')).toHaveLength(keysBefore.length)
  expect((await follow(running, signedIn, url)).url.href).toContain(redirectUri)
})
