import { eq, like } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, history, methods, roles } from '@/db/schema'
import { deleteRole, updateRole } from '@/lib/access/roles/contract'
import { accessOf } from '@/lib/access/roles/service'
import { systemicMethods } from '@/lib/base/access/access-methods'
import * as mappers from '@/lib/directory-sync/provider-mappers/contract'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { createDirectory, enableSync, synced } from '../../factories/directory'
import { accountOf, administrator, refusal } from '../../factories/directory-people'
import { directoryPerson, startKeycloak } from '../../factories/keycloak'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
// what new accounts must have is the matter of other tests
beforeAll(() => db().update(dynamicFields).set({ adminRequired: false, integrationRequired: false }))

test('people of a directory gain and lose the methods of mappers, each by a role that has it alone', async () => {
  const [caller, keycloak] = [await administrator(['license.read', 'history.read']), await startKeycloak()]
  const person = directoryPerson({ roles: ['boss'] })
  keycloak.people = [person, directoryPerson({ roles: [] })]
  const directory = await createDirectory(caller, keycloak.url)
  const shippedMethods = await db().select().from(methods).where(eq(methods.kind, 'systemic'))
  const idOf = (code: string) => shippedMethods.find((method) => method.code === code)?.id ?? ''
  const params = { syncId: directory.syncId }
  const gives = { type: 'users-access' as const, name: 'Права', before: 'roles', after: 'method' }
  const ofMethods = (...codes: string[]) => ({
    ...gives,
    attributes: codes.map((code) => ({ attribute: 'boss', value: idOf(code) })),
  })
  // nobody gives what they lack, and nothing is left of the try
  const lacked = { params, body: ofMethods('license.read', 'users.write') }
  expect(await refusal(caller, mappers.createProviderMapper, lacked)).toEqual([403, 'forbiddenRole'])
  expect(await db().$count(roles, like(roles.code, 'method:%'))).toBe(0)
  const body = ofMethods('license.read', 'history.read')
  const { id } = await caller.call(mappers.createProviderMapper, { params, body })
  await enableSync(caller, directory)
  const account = await accountOf(person.id)
  const heldMethods = async () => [...(await accessOf(account?.id ?? '')).methods].sort()
  expect(await heldMethods()).toEqual(['history.read', 'license.read'])
  await caller.call(mappers.updateProviderMapper, { params: { ...params, id }, body: ofMethods('history.read') })
  // the history names them, as it names roles
  const nameOf = (code: string) => shippedMethods.find((method) => method.code === code)?.name
  const recorded = await db().select().from(history).where(eq(history.entity, 'provider-mappers'))
  const [license, audit] = [`boss → ${nameOf('license.read')}`, `boss → ${nameOf('history.read')}`]
  expect(recorded.map(({ current }) => current)).toEqual(expect.arrayContaining([[license, audit], [audit]]))
  await synced(caller, directory.id)
  // what no mapper gives any more is left alone, as it is with roles
  expect(await heldMethods()).toEqual(['history.read', 'license.read'])
  keycloak.people[0] = { ...person, roles: [] }
  await synced(caller, directory.id)
  expect(await heldMethods()).toEqual(['license.read'])

  const made = await db().select().from(roles).where(like(roles.code, 'method:%'))
  expect(made.map(({ code, immutable, roleType }) => [code, immutable, roleType]).sort()).toEqual([
    ['method:history.read', true, 'systemic'],
    ['method:license.read', true, 'systemic'],
  ])
  const [role] = made.filter(({ code }) => code === 'method:history.read')
  const everything = await signedInWith([...systemicMethods])
  const writer = new Caller(everything.browser)
  const change = { name: 'Аудит', nameEn: '', comment: '', roleType: 'systemic' as const }
  const changed = { params: { id: role?.id ?? '' }, body: { ...change, methods: [idOf('users.write')] } }
  expect((await writer.send(updateRole, changed)).body).toMatchObject({
    data: { errorList: [{ field: 'methods', code: 'errorRoleOfMethod' }] },
  })
  expect(await refusal(writer, deleteRole, { params: changed.params })).toEqual([409, 'roleFixed'])
  await writer.call(updateRole, { ...changed, body: { ...change, methods: [idOf('history.read')] } })
})
