import { afterAll, beforeAll, expect, test } from 'vitest'
import en from '@/messages/en/oidc.json'
import ru from '@/messages/ru/oidc.json'
import { createClient, follow, request, startProvider } from '../../factories/oidc'
import { signedIn } from '../../factories/oidc-flows'
import { store } from '../../factories/platform'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

test('an application that isn’t open to the person offers to request access, if the platform can do that', async () => {
  const { config, application } = await createClient(running, { methods: ['ledger.read'] })
  const { browser } = await signedIn()
  const page = async () => (await follow(running, browser, (await request(config)).url)).body

  await store('accessRequests', false)
  const before = await page()
  expect(before).toContain(ru.oidc.access.text)
  expect(before).not.toContain('/requests/access')

  await store('accessRequests', true)
  const asked = await page()
  expect(asked).toContain(`href="/platform/profile/requests/access?application=${application.code}&amp;create=1"`)
  expect(asked).toContain(ru.oidc.access.request)
  expect(asked).toContain(ru.oidc.access.requestText)
  expect(en.oidc.access.requestText).not.toBe(en.oidc.access.text)
})
