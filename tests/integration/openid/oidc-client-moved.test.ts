import { afterAll, beforeAll, expect, test } from 'vitest'
import * as calls from '@/lib/openid/clients/contract'
import ru from '@/messages/ru/oidc.json'
import { createRoleWith, signedInWith } from '../../factories/access'
import { clientBody } from '../../factories/administered-applications'
import { newApplication } from '../../factories/applications'
import { Caller } from '../../factories/caller'
import { createClient, follow, redirectUri, request, startProvider } from '../../factories/oidc'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

test('nobody opens an application to themselves by moving its client to one of their own', async () => {
  const { config, clientId } = await createClient(running, { methods: ['stock.read'] })
  await createRoleWith(['stock.read'])
  const { browser } = await signedInWith(['applications.read', 'applications.write'])
  const caller = new Caller(browser)
  const asked = async () => follow(running, browser, (await request(config)).url)
  expect((await asked()).body).toContain(ru.oidc.access.request)

  const ownApplication = await newApplication({ type: 'link' })
  const body = clientBody({ clientId, authMethod: 'none', redirectUris: [redirectUri] })
  const deletion = await caller.send(calls.deleteClient, { params: { clientId } })
  await caller.send(calls.createClient, { params: { id: ownApplication.id }, body })
  expect((await asked()).url.href).not.toContain(redirectUri)
  expect(deletion).toMatchObject({ status: 403, body: { code: 'forbiddenClient' } })
})

test('whoever could take the methods of an application deletes its clients', async () => {
  const { clientId } = await createClient(running, { methods: ['orders.read'] })
  const { browser } = await signedInWith(['applications.write', 'orders.read'])
  expect(await new Caller(browser).send(calls.deleteClient, { params: { clientId } })).toMatchObject({ status: 200 })
})
