import { expect, test } from 'vitest'
import { shellContext } from '@/bin/operator'
import { db } from '@/db/client'
import { history, oidcClients } from '@/db/schema'
import { updateApplication } from '@/lib/applications/applications/contract'
import { maskedAddress } from '@/lib/base/text/masks'
import { readApplicationDetails } from '@/lib/openid/applications/contract'
import * as clientCalls from '@/lib/openid/clients/contract'
import { configurationText, importText } from '@/lib/operations/configuration-file/service'
import { signedInWith } from '../../factories/access'
import { newApplication } from '../../factories/applications'
import { Caller } from '../../factories/caller'
import { sampleBody } from '../../factories/samples'
import { holdMethods } from '../../factories/service-accounts'
import { useTestDatabase } from '../../setup/database'

// rule: docs/rules/webhooks.md#tokens-in-an-address
useTestDatabase()

test('tokens in technical addresses of an application are shown to its editors alone', async () => {
  const editor = new Caller((await signedInWith(['applications.write'])).browser)
  const reader = new Caller((await signedInWith(['applications.read'])).browser)
  const technical = {
    swaggerUrl: 'https://app.example/api?key=api-token-4',
    compodocUrl: '/internal/docs?key=docs-token-5#docs-token-6',
    techUrl: 'https://app.example/version?key=version-token-7',
  }
  const { id, code } = await newApplication()
  const input = { type: 'link', code, name: 'Склад', url: 'https://app.example/?tab=1', ...technical }
  await editor.call(updateApplication, { params: { id }, body: input } as never)
  const read = async (caller: Caller) => {
    const { application } = await caller.call(readApplicationDetails, { params: { id } })
    const { swaggerUrl, compodocUrl, techUrl } = application
    return { swaggerUrl, compodocUrl, techUrl }
  }
  const tokens = /-token-\d/
  const masked = {
    swaggerUrl: 'https://app.example/api?key=***',
    compodocUrl: '/internal/docs?key=***#***',
    techUrl: 'https://app.example/version?key=***',
  }
  expect([await read(editor), await read(reader)]).toEqual([technical, masked])
  await holdMethods(id, ['license.write'])
  expect(await read(editor)).toEqual(masked)
  expect(JSON.stringify(await db().select().from(history))).not.toMatch(tokens)

  const shell = await shellContext()
  const text = await configurationText(shell)
  expect(text).not.toMatch(tokens)
  expect(await configurationText(shell, 'a passphrase of the test')).toContain('version-token-7')
  // a file without the parameters means the stored ones, whatever else it changes
  const file = JSON.parse(text)
  file.content.applications.find((one: { code: string }) => one.code === code).description = 'Новое описание'
  const { changes } = await importText(shell, { text: JSON.stringify(file), prune: true, dry: false })
  expect(changes.map(({ fields }) => fields.map(({ field }) => field))).toEqual([['description']])
  await holdMethods(id, [])
  expect(await read(editor)).toEqual(technical)
  // where they aren't known, the import says what is left to do
  file.content.applications.find((one: { code: string }) => one.code === code).techUrl =
    'https://other.example/?key=***'
  const { notes } = await importText(shell, { text: JSON.stringify(file), prune: true, dry: false })
  expect(notes).toEqual([{ section: 'applications', key: code, code: 'addressMasked' }])
})

test('tokens in addresses of a client that the platform calls are shown to its editors alone', async () => {
  const editor = new Caller((await signedInWith(['applications.write'])).browser)
  const reader = new Caller((await signedInWith(['applications.read'])).browser)
  const { id } = await newApplication()
  const clientId = `client-${id}`
  const params = { clientId }
  const logout = 'https://app.example/logout?key=logout-token-1'
  const keys = 'https://app.example/keys.json?key=keys-token-2'
  const body = { ...sampleBody(clientCalls.createClient), clientId, backchannelLogoutUri: logout }
  await editor.call(clientCalls.createClient, { params: { id }, body } as never)
  await editor.call(clientCalls.updateClientKeys, { params, body: { jwksUri: keys } } as never)
  const read = async (caller: Caller) => {
    const { application } = await caller.call(readApplicationDetails, { params: { id } })
    const { backchannelLogoutUri, jwksUri } = application.clients[0] ?? {}
    return { backchannelLogoutUri, jwksUri }
  }
  const whole = { backchannelLogoutUri: logout, jwksUri: keys }
  const masked = { backchannelLogoutUri: maskedAddress(logout), jwksUri: maskedAddress(keys) }
  expect(await read(editor)).toEqual(whole)
  expect(await read(reader)).toEqual(masked)
  const stored = JSON.stringify(await db().select().from(history))
  expect(stored).not.toMatch(/logout-token-1|keys-token-2/)

  const shell = await shellContext()
  const text = await configurationText(shell)
  expect(text).not.toMatch(/logout-token-1|keys-token-2/)
  const passphrase = 'a passphrase of the test'
  const sealed = await configurationText(shell, passphrase)
  // a file without the parameters means the stored ones
  expect((await importText(shell, { text, prune: true, dry: false })).changes).toEqual([])
  expect(await read(editor)).toEqual(whole)
  await db().update(oidcClients).set({ backchannelLogoutUri: 'https://elsewhere.example/?key=another-token' })
  // what isn't known can't be called
  await expect(importText(shell, { text, prune: true, dry: false })).rejects.toMatchObject({ status: 400 })
  const restored = await importText(shell, { text: sealed, passphrase, prune: true, dry: false })
  expect(JSON.stringify(restored)).not.toMatch(/another-token|logout-token-1/)
  expect(await read(editor)).toEqual(whole)
})
