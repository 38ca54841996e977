import { and, eq, inArray, notInArray } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { db } from '@/db/client'
import { authenticationSchemas, providerMappers, userRoles, users } from '@/db/schema'
import * as accountCalls from '@/lib/account-administration/accounts/contract'
import * as calls from '@/lib/accounts/administration/contract'
import * as holderCalls from '@/lib/accounts/role-holders/contract'
import { syncIdentifiers } from '@/lib/accounts/users/identifiers'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { dropCached } from '@/lib/base/cache/cache'
import { createProviderMapper } from '@/lib/directory-sync/provider-mappers/contract'
import { enableProvider, readProvider, updateProvider } from '@/lib/directory-sync/providers/contract'
import type { FlowId } from '@/lib/sign-in/attempts/contract'
import * as schemas from '@/lib/sign-in/schema-administration/contract'
import { domainByHost } from '@/lib/site/domains/service'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { createDirectory, enableSync, synced } from '../../factories/directory'
import { accountOf } from '../../factories/directory-people'
import { directoryPerson, startKeycloak } from '../../factories/keycloak'
import { freshMobile } from '../../factories/own-account'
import { shippedRole } from '../../factories/roles'
import { imported, importOf } from '../../factories/user-import'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

/** Holds what administrators hold, and isn't one. */
let careless: Caller
let carelessId = ''
let role = ''
beforeAll(async () => {
  const { user, browser } = await signedInWith(systemicMethods)
  careless = new Caller(browser)
  carelessId = user.id
  role = await shippedRole('administrator')
})
beforeEach(async () => {
  await db().delete(authenticationSchemas).where(eq(authenticationSchemas.base, false))
  dropCached('authentication-schemas')
})

/** Leaves these the only enabled administrators. */
async function alone(...ids: string[]) {
  const holders = db().select({ id: userRoles.userId }).from(userRoles).where(eq(userRoles.roleId, role))
  await db()
    .update(users)
    .set({ enabled: false })
    .where(and(inArray(users.id, holders), notInArray(users.id, ids)))
}
const administrator = (wishes: Parameters<typeof createUser>[0]) => createUser({ roles: ['administrator'], ...wishes })
async function schemaOf(firstFactor: FlowId[], secondFactor: FlowId[] = []) {
  const code = crypto.randomUUID()
  const body = { name: code, code, firstFactor, secondFactor, roles: [] }
  return (await careless.call(schemas.createAuthenticationSchema, { body })).id
}
const refused = { status: 409, body: { code: 'lastAdministrator' } }
const prepared = () => ({ preparedBy: carelessId, preparedSince: new Date(0) })
const isEnabled = async (id: string) => (await db().$count(users, and(eq(users.id, id), eq(users.enabled, true)))) === 1

/** Administrators who are there and can't sign in, because somebody else has prepared how. */
const doubtful: Record<string, () => Promise<Parameters<typeof createUser>[0]>> = {
  'whose account is in doubt and has no e-mail': async () => ({ email: null, ...prepared() }),
  'whose own schema is the word of somebody with less, while that of their role asks for what they lack': async () => {
    const authenticationSchemaId = await schemaOf(['credentials'])
    const code = crypto.randomUUID()
    const body = { name: code, code, firstFactor: ['sms_code' as const], secondFactor: [], roles: [role] }
    await careless.call(schemas.createAuthenticationSchema, { body })
    return { mobile: null, authenticationSchemaId, schemaEnteredBy: carelessId }
  },
  'whose mobile somebody with less entered, so that two codes would go to one e-mail': async () => ({
    authenticationSchemaId: await schemaOf(['sms_code'], ['email_code']),
    mobileEnteredBy: carelessId,
  }),
}

test.each(Object.keys(doubtful))('an administrator %s doesn’t count among those who could sign in', async (which) => {
  const [last, other] = [await administrator({}), await administrator(await doubtful[which]?.())]
  await alone(last.id, other.id)
  const preview = await careless.call(schemas.previewAuthenticationSchema, { query: { userId: other.id } })
  expect(preview.stuck).toBe(true)
  const params = { id: last.id }
  expect(await careless.send(calls.enableUser, { params, body: { enabled: false } })).toMatchObject(refused)
  expect(await careless.send(accountCalls.deleteUser, { params })).toMatchObject(refused)
  expect(await careless.send(holderCalls.setUserRoles, { params, body: { roles: [] } as never })).toMatchObject(refused)
  expect(await isEnabled(last.id)).toBe(true)
  // one in doubt who can prove the e-mail counts
  await administrator(prepared())
  expect((await careless.send(calls.enableUser, { params, body: { enabled: false } })).status).toBe(200)
})

/** Makes somebody of a directory of `careless` an administrator who signs in here by codes. */
async function ofDirectory() {
  const keycloak = await startKeycloak()
  const person = directoryPerson()
  keycloak.people = [person]
  const directory = await createDirectory(careless, keycloak.url)
  await enableSync(careless, directory)
  const { id = '' } = (await accountOf(person.id)) ?? {}
  await db().insert(userRoles).values({ userId: id, roleId: role })
  await alone(id)
  return { keycloak, person, directory, id }
}

test('a file of accounts that puts the last administrator in doubt is refused, as the form is', async () => {
  const last = await administrator({ email: null })
  await alone(last.id)
  const mobile = freshMobile()
  const body = { values: { mobile } } as never
  expect(await careless.send(accountCalls.updateUser, { params: { id: last.id }, body })).toMatchObject(refused)
  const file = importOf(['field.login', 'field.mobile'], [[last.login, mobile]], { mode: 'update' })
  const { run, faults } = await imported(careless, file)
  expect(run).toMatchObject({ state: 'done', done: 0, failed: 1 })
  expect(faults.map(({ code }) => code)).toEqual(['lastAdministrator'])
})

test('nor does a directory that nobody vouches for put them in doubt by another mobile', async () => {
  const { keycloak, person, directory, id } = await ofDirectory()
  const [before, after] = [freshMobile(), freshMobile()]
  const authenticationSchemaId = await schemaOf(['sms_code'])
  const values = { email: null, mobile: before, authenticationSchemaId, preparedBy: null, preparedSince: null }
  await db().update(users).set(values).where(eq(users.id, id))
  await db().transaction((tx) => syncIdentifiers(tx, [id]))
  await db()
    .delete(providerMappers)
    .where(and(eq(providerMappers.syncId, directory.syncId), eq(providerMappers.after, 'email')))
  const body = { type: 'users-base', name: 'Телефон', before: 'phone', after: 'mobile', customAttributes: true }
  await careless.call(createProviderMapper, {
    params: { syncId: directory.syncId },
    body: { ...body, absent: 'keep', enabled: true, attributes: [] } as never,
  })
  keycloak.people = [{ ...person, attributes: { phone: [after] } }]
  const { faults } = await synced(careless, directory.id)
  // an administrator has more than whoever it is the word of
  expect(faults.map(({ code }) => code)).toEqual(['forbiddenUser'])
  expect((await accountOf(person.id))?.mobile).toBe(before)
})

test('a provider isn’t offered or switched on if the last administrator could then sign in only there', async () => {
  const { directory, id } = await ofDirectory()
  const { id: domain } = await domainByHost('')
  const { provider } = await careless.call(readProvider, { params: { id: directory.id } })
  const { name, url, realm, clientId, scopes } = provider
  const body = { name, url, realm, clientId, clientSecret: '', scopes, emailDomains: [], domains: [domain] }
  const offered = () => careless.send(updateProvider, { params: { id: directory.id }, body })
  expect(await offered()).toMatchObject(refused)
  await administrator({})
  expect((await offered()).status).toBe(200)
  const enable = (enabled: boolean) =>
    careless.send(enableProvider, { params: { id: directory.id }, body: { enabled } })
  expect((await enable(false)).status).toBe(200)
  await alone(id)
  expect(await enable(true)).toMatchObject(refused)
})
