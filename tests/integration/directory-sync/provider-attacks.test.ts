import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { networkAliases, networkAliasIps, providers } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { decrypt } from '@/lib/base/crypto/encryption'
import { checkProvider, createProvider, readProvider, updateProvider } from '@/lib/directory-sync/providers/contract'
import { openDirectory } from '@/lib/identity-providers/connections/service'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { providerFor } from '../../factories/directory'
import { inProduction } from '../../factories/oidc-clients'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let asked: string[] = []
const server = createServer((request, response) => {
  asked.push(`${request.headers.authorization ?? ''} ${request.url}`)
  response.writeHead(302, { location: '/elsewhere' }).end()
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((done) => server.close(done)))

const administrator = async () => new Caller((await signedInWith(['providers.write'])).browser)
const answerOf = async (caller: Caller, contract: Parameters<Caller['send']>[0], input: object) => {
  const { status, body } = await caller.send(contract, input)
  const { code, data } = body as { code: string; data: { errorList?: { field: string; code: string }[] } }
  return [status, data?.errorList?.[0]?.code ?? code]
}
const stored = async (id: string) => {
  const [row] = await db().select().from(providers).where(eq(providers.id, id))
  if (!row) throw new Error('no provider')
  return row
}

describe('a stored secret', () => {
  test('is sealed for its provider, and no answer has it', async () => {
    const caller = await administrator()
    const { id } = await caller.call(createProvider, { body: providerFor(url, 'a-secret-of-the-directory') })
    const row = await stored(id)
    expect(row.clientSecret).not.toContain('a-secret')
    expect(decrypt('providers', row.clientSecret, id)).toBe('a-secret-of-the-directory')
    expect(() => decrypt('providers', row.clientSecret, crypto.randomUUID())).toThrow()
    expect(JSON.stringify(await caller.call(readProvider, { params: { id } }))).not.toContain('a-secret')
  })

  test('is sent to no other address, realm or client than it was entered for', async () => {
    const caller = await administrator()
    const body = providerFor('https://directory.example')
    const { id } = await caller.call(createProvider, { body })
    const { type, name, ...connection } = body
    asked = []
    for (const other of [{ url }, { realm: 'another' }, { clientId: 'another' }]) {
      const moved = { ...connection, clientSecret: '', ...other }
      const check = { body: { id, type, ...moved } }
      expect(await answerOf(caller, checkProvider, check), JSON.stringify(other)).toEqual([400, 'errorSecretAgain'])
      const save = { params: { id }, body: { name, ...moved } }
      expect(await answerOf(caller, updateProvider, save), JSON.stringify(other)).toEqual([400, 'errorSecretAgain'])
    }
    expect(asked).toEqual([])
    expect((await stored(id)).url).toBe('https://directory.example')
  })
})

describe('a call to a directory', () => {
  test('follows no redirect, and keeps neither query nor secret of itself', async () => {
    const caller = await administrator()
    const { id } = await caller.call(createProvider, { body: providerFor(url) })
    asked = []
    await expect(openDirectory(await stored(id)).check()).rejects.toMatchObject({ code: 'providerConnection' })
    expect(asked).toHaveLength(1)
    const { rows } = await db().execute<{ path: string }>('select path from provider_calls')
    expect(rows).toEqual([{ path: '/realms/staff/protocol/openid-connect/token' }])
  })

  test('in production reaches no private network, unless a network alias names it', async () => {
    const caller = await administrator()
    const { id } = await caller.call(createProvider, { body: providerFor(url) })
    const row = await stored(id)
    const check = (address: string) =>
      inProduction(() => openDirectory({ ...row, url: address }).check()).catch((error: Error) => error.message)
    asked = []
    const { port } = server.address() as AddressInfo
    const hosts = ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '169.254.169.254', '10.0.0.1', '0.0.0.0']
    for (const host of hosts) expect(await check(`http://${host}:${port}`), host).toBe('providerConnection')
    expect(asked).toEqual([])
    const [alias] = await db().insert(networkAliases).values({ name: 'Каталоги' }).returning()
    await db()
      .insert(networkAliasIps)
      .values({ aliasId: alias?.id ?? '', ip: '127.0.0.0/8', order: 0 })
    dropCached('network-aliases')
    await check(`http://127.0.0.1:${port}`)
    expect(asked.length).toBe(1)
  })
})
