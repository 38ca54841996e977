import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { users } from '@/db/schema'
import { listUsers, readUser } from '@/lib/accounts/administration/contract'
import { addBaseMappers } from '@/lib/directory-sync/provider-mappers/contract'
import { startProviderSync } from '@/lib/directory-sync/provider-sync/contract'
import { checkProvider, createProvider } from '@/lib/directory-sync/providers/contract'
import type { DirectoryPerson } from '@/lib/identity-providers/connections/directory'
import { directories } from '@/lib/identity-providers/connections/service'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { syncOf, workOnSync } from '../../factories/directory'
import { startProvider } from '../../factories/oidc'
import { handlerOf } from '../../factories/routes'
import { callAs, createServiceAccount } from '../../factories/service-accounts'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const path = '/api/v1/platform/setting/users'
let running: Awaited<ReturnType<typeof startProvider>>
/** Another installation as its clients see it: its OpenID Provider, and the REST calls of users by bearer token. */
const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '', 'http://localhost')
  const send = (status: number, body: string) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  if (url.pathname === '/oidc/token') {
    const body: Buffer[] = []
    for await (const chunk of request) body.push(chunk)
    const { authorization = '', 'content-type': type = '' } = request.headers
    const headers = { authorization, 'content-type': type }
    const answer = await fetch(running.at('/oidc/token'), { method: 'POST', headers, body: Buffer.concat(body) })
    return send(answer.status, await answer.text())
  }
  const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
  const id = url.pathname.startsWith(`${path}/`) ? url.pathname.slice(path.length + 1) : null
  const contract = id ? readUser : listUsers
  const input = id ? { params: { id } } : { query: Object.fromEntries(url.searchParams) }
  const { status, body } = await callAs(token, handlerOf(contract), contract, input)
  return send(status, JSON.stringify(body))
})
let url = ''
beforeAll(async () => {
  running = await startProvider()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await running.stop()
})

/** A service account of the other installation. */
async function client(methods: string[]) {
  const secret = `secret-${crypto.randomUUID()}`
  const { clientId } = await createServiceAccount(running, methods, { secret })
  return { url, realm: '', clientId, clientSecret: secret }
}

test('people of another installation are read page by page, with their fields', async () => {
  for (let n = 0; n < 12; n++) await createUser({ mobile: `+7911000${1_000 + n}` })
  const connection = await client(['users.read'])
  const directory = directories.wapps({ id: null, ...connection })
  const read = new Map<string, DirectoryPerson['fields']>()
  let pages = 0
  for (let cursor: string | null = null; ; pages++) {
    const page = await directory.page(cursor, 10, { roles: true })
    for (const { externalId, fields } of page.people) read.set(externalId, fields)
    cursor = page.next
    if (!cursor) break
  }
  const accounts = await db().select().from(users).where(isNull(users.providerId))
  expect(pages).toBeGreaterThan(0)
  expect([...read.keys()].sort()).toEqual(accounts.map(({ id }) => id).sort())
  const [one] = accounts
  expect(read.get(one?.id ?? '')).toMatchObject({ login: [one?.login], email: [one?.email] })
})

test('a service account without the right is told which it lacks, and a trial compares everybody', async () => {
  const caller = new Caller((await signedInWith(['providers.write'])).browser)
  const type = 'wapps' as const
  const { status, body } = await caller.send(checkProvider, { body: { type, ...(await client([])) } })
  const providerError = { status: 'accessError', requiredRights: ['users.read'] }
  expect({ status, code: body.code, data: body.data }).toEqual({
    status: 400,
    code: 'providerAccess',
    data: expect.objectContaining({ providerError }),
  })

  const connection = await client(['users.read'])
  const answer = await caller.call(checkProvider, { body: { type, ...connection } })
  expect(answer).toEqual({ status: 'success', people: null })
  const { id } = await caller.call(createProvider, { body: { type, name: 'Другая установка', ...connection } })
  await caller.call(addBaseMappers, { params: { syncId: await syncOf(caller, id) } })
  const trial = await caller.call(startProviderSync, { params: { id }, body: { dry: true } })
  const { run, faults } = await workOnSync(caller, trial.id)
  // it is this installation itself: everybody is here already, and nobody is linked by login or e-mail
  const people = await db().$count(users)
  expect(run).toMatchObject({ state: 'done', read: people, failed: people, counts: { created: 0 } })
  expect(new Set(faults.map(({ code }) => code))).toEqual(new Set(['errorUnique']))
  expect(await db().$count(users)).toBe(people)
})
