import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { methods, roleMethods, roles } from '@/db/schema'
import { updateApplication, updateApplicationMethods } from '@/lib/applications/applications/contract'
import { dropCached } from '@/lib/base/cache/cache'
import { createRoleWith } from '../../factories/access'
import { readApplication } from '../../factories/administered-applications'
import { newApplication } from '../../factories/applications'
import { oneOf30, thirty } from '../../factories/at-once'
import type { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { createClient, startProvider } from '../../factories/oidc'
import { signedIn, tokensFor } from '../../factories/oidc-flows'
import { signedInAdministrator } from '../../factories/roles'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

let running: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  running = await startProvider()
})
afterAll(() => running.stop())

/** An application at an address of its own with a method of this code; `given` to some role. */
async function api(code: string, given: boolean) {
  const url = `https://${randomUUID()}.example/api`
  const { id } = await newApplication({ type: 'link', url })
  const [method] = await db()
    .insert(methods)
    .values({ code, name: code, kind: 'application', applicationId: id })
    .returning()
  if (!method) throw new Error('no method')
  if (given) await give(method.id, await createRoleWith([]))
  return { id, url, methodId: method.id }
}

async function give(methodId: string, role: string) {
  const [row] = await db().select({ id: roles.id }).from(roles).where(eq(roles.code, role))
  if (row) await db().insert(roleMethods).values({ roleId: row.id, methodId })
}

/** Somebody who may change applications, with a method of one that has the code of another one's. */
async function holder() {
  const [ownApi, other] = [await api('admin', false), await api('admin', true)]
  const role = await createRoleWith(['applications.read', 'applications.write'])
  await give(ownApi.methodId, role)
  const { browser } = await signedIn({ roles: [role] })
  return { ownApi, other, browser, caller: new Caller(browser) }
}

async function moved(caller: Caller, id: string, url: string) {
  const { code, name, nameEn } = await readApplication(caller, { id })
  return caller.send(updateApplication, { params: { id }, body: { type: 'link', code, name, nameEn, url } })
}

/** The methods that a token for this address names. */
async function namedAt(browser: Browser, resource: string) {
  dropCached('oidc-clients')
  const { config } = await createClient(running)
  const { access_token: token } = await tokensFor(running, browser, config, { resource }, { resource })
  return decodeJwt(token).methods
}

test('a method passes for that of no other application, by giving its address to one’s own', async () => {
  const { ownApi, other, browser, caller } = await holder()
  expect(await namedAt(browser, ownApi.url)).toEqual(['admin'])
  const refusal = await moved(caller, ownApi.id, other.url)
  expect(await namedAt(browser, other.url)).toEqual([])
  expect(refusal).toMatchObject({ status: 409, body: { code: 'addressOfApi' } })
})

test('nor by moving the other one away first', async () => {
  const { ownApi, other, browser, caller } = await holder()
  const away = await moved(caller, other.id, 'https://elsewhere.example/')
  await moved(caller, ownApi.id, other.url)
  expect(await namedAt(browser, other.url)).toEqual([])
  expect(away).toMatchObject({ status: 403, body: { code: 'forbiddenAddress' } })
  // its other fields are free
  expect(await moved(caller, other.id, other.url)).toMatchObject({ status: 200 })
})

test('an application that waits at an address gets no methods beside those of another one', async () => {
  const { other, browser, caller } = await holder()
  const { id } = await newApplication({ type: 'link', url: other.url })
  const body = { methods: [{ code: 'other', name: 'Другое' }] }
  expect(await caller.send(updateApplicationMethods, { params: { id }, body })).toMatchObject({
    status: 409,
    body: { code: 'addressOfApi' },
  })
  expect(await namedAt(browser, other.url)).toEqual([])
})

test('of those at an address the one with methods is the API, whichever came first', async () => {
  const url = `https://${randomUUID()}.example/api`
  await newApplication({ type: 'link', url })
  const { ownApi, browser, caller } = await holder()
  expect(await moved(caller, ownApi.id, url)).toMatchObject({ status: 200 })
  expect(await namedAt(browser, url)).toEqual(['admin'])
})

test('of thirty applications that come to one address at once, by moving or by methods, one does', async () => {
  const { caller } = await signedInAdministrator()
  const url = `https://${randomUUID()}.example/api`
  const waiting = await thirty(async (n) => (n % 2 ? newApplication({ type: 'link', url }) : api('admin', false)))
  const answers = await thirty((n) => {
    const { id } = waiting[n] as { id: string }
    const body = { methods: [{ code: 'admin', name: 'Управление' }] }
    return n % 2 ? caller.send(updateApplicationMethods, { params: { id }, body }) : moved(caller, id, url)
  })
  expect(answers.map(({ status }) => status).toSorted()).toEqual(oneOf30)
})
