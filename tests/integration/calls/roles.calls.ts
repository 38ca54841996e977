import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { authenticationSchemaRoles, authenticationSchemas, userRoles, users } from '@/db/schema'
import {
  createRole,
  deleteRole,
  enableRole,
  listMethods,
  listRoles,
  readRole,
  roleEffect,
  searchMethods,
  searchRoles,
  updateRole,
} from '@/lib/access/roles/contract'
import { makeMethodRoles, rolesOfMethods } from '@/lib/access/roles/of-methods'
import { searchContacts } from '@/lib/accounts/people-search/contract'
import { addHolders, listHolders, removeHolder, searchRolePlaces } from '@/lib/accounts/role-holders/contract'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { createContractor, plantInvitation } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { proof } from '../../factories/proofs'
import {
  methodIdsOf,
  plantApplicationMethod,
  plantRole,
  shippedRole,
  signedInAdministrator,
} from '../../factories/roles'
import { createUser } from '../../factories/users'

const role = (name: string = randomUUID()) => ({
  name,
  nameEn: '',
  comment: 'для проверки',
  roleType: 'systemic' as const,
})
const newRole = async (caller: Caller) => {
  const body = { ...role(), methods: await methodIdsOf('roles.read') }
  return { ...body, ...(await caller.call(createRole, { body })) }
}
const roleOf = (caller: Caller, id: string) => caller.call(readRole, { params: { id } }).then((answer) => answer.role)
const listed = async (caller: Caller, search: string) =>
  (await caller.call(listRoles, { query: { filter: { search } } })).roles
const heldRole = async (caller: Caller) => {
  const made = await newRole(caller)
  const { id: userId } = await createUser({ roles: [] })
  await db().insert(userRoles).values({ userId, roleId: made.id })
  return { ...made, userId }
}
/** The role of a method that the caller holds. */
async function methodRole() {
  const ids = await methodIdsOf('roles.read')
  const ctx = await createContext({ methods: [...systemicMethods] })
  await db().transaction((tx) => makeMethodRoles(tx, ctx, ids))
  return (await rolesOfMethods(ids)).get(ids[0] ?? '') ?? ''
}
let crowds = 0
const beyond = async () => {
  const [id] = await methodIdsOf('users.write')
  return { body: { ...role(), methods: [id] } }
}
const unknown = () => ({ body: { ...role(), methods: [randomUUID()] } })
let alone: ReturnType<typeof signedInAdministrator> | undefined
const last = () => {
  alone ??= signedInAdministrator(true)
  return alone
}
const holdersOf = async (caller: Caller, id: string) =>
  (await caller.call(listHolders, { params: { id }, query: {} })).holders.map((holder) => holder.id)

export default [
  proof(listRoles, {
    prepare: newRole,
    input: ({ name }) => ({ query: { filter: { search: name } } }),
    shows: ({ id, name }) => ({ roles: [{ id, name, methodCount: 1, holders: { count: 0, more: false } }] }),
  }),
  proof(searchRoles, {
    prepare: newRole,
    input: ({ id }) => ({ query: { ids: [id], roleType: 'systemic' as const } }),
    shows: ({ id, name }) => ({ roles: [{ id, name, roleType: 'systemic' }] }),
  }),
  proof(searchMethods, {
    prepare: plantApplicationMethod,
    input: ({ method }) => ({ query: { ids: [method.id], accessType: 'application' as const } }),
    shows: ({ method, application }) => ({
      methods: [{ id: method.id, code: method.code, kind: 'application', application: { id: application.id } }],
    }),
  }),
  proof(searchContacts, {
    prepare: () => createUser({ roles: [] }),
    input: ({ login }) => ({ query: { searchValue: login, limit: 5 } }),
    shows: ({ id, fio, email }) => ({ contacts: [{ userId: id, fullName: fio, email }] }),
  }),
  proof(listMethods, {
    prepare: plantApplicationMethod,
    input: () => ({}),
    shows: ({ method }) => ({
      methods: expect.arrayContaining([
        expect.objectContaining({ id: method.id, grantable: false }),
        expect.objectContaining({ code: 'roles.read', grantable: true }),
      ]),
    }),
  }),
  proof(readRole, {
    prepare: newRole,
    input: ({ id }) => ({ params: { id } }),
    shows: ({ id, name, methods: [method] }) => ({
      role: { id, name, methods: [{ id: method, code: 'roles.read', grantable: true }], usedIn: [] },
    }),
  }),
  proof(roleEffect, {
    prepare: async (caller) => {
      const made = await heldRole(caller)
      const count = 1 + ++crowds
      const more = await Promise.all(Array.from({ length: crowds }, () => createUser({ roles: [] })))
      await db()
        .insert(userRoles)
        .values(more.map((user) => ({ userId: user.id, roleId: made.id })))
      return { ...made, count }
    },
    input: ({ id, methods }) => ({ params: { id }, query: { take: methods } }),
    shows: ({ count }) => ({ people: { count, more: false }, gain: 0, lose: count }),
  }),
  proof(createRole, {
    makes: ['create roles'],
    prepare: async () => role(),
    input: (body) => ({ body }),
    look: (caller, { name }) => listed(caller, name),
    shows: ({ name }, { id }) => [{ id, name, methodCount: 0 }],
    errors: {
      errorUnique: {
        field: 'nameEn',
        input: async (caller) => {
          const takenRole = { ...role(), nameEn: `Name ${randomUUID()}` }
          await caller.call(createRole, { body: takenRole })
          return { body: { ...role(), nameEn: takenRole.nameEn.toUpperCase() } }
        },
      },
      errorMethodUnknown: { field: 'methods.0', input: unknown },
      forbiddenRole: { input: beyond },
    },
  }),
  proof(updateRole, {
    makes: ['update roles'],
    prepare: newRole,
    input: ({ id }) => ({ params: { id }, body: { ...role('Другое имя'), methods: [] } }),
    look: (caller, { id }) => roleOf(caller, id),
    shows: ({ id }) => ({ id, name: 'Другое имя', methods: [] }),
    errors: {
      errorUnique: {
        field: 'name',
        input: async (caller, { id }) => {
          const body = { ...role((await newRole(caller)).name.toUpperCase()), methods: await methodIdsOf('roles.read') }
          return { params: { id }, body }
        },
      },
      errorRoleOfMethod: {
        field: 'methods',
        input: async () => ({ params: { id: await methodRole() }, body: { ...role(), methods: [] } }),
      },
      errorMethodUnknown: { field: 'methods.0', input: (_, { id }) => ({ params: { id }, ...unknown() }) },
      forbiddenRole: { input: async (_, { id }) => ({ params: { id }, ...(await beyond()) }) },
      errorRoleFixed: {
        field: 'roleType',
        input: async () => ({
          params: { id: await shippedRole('user') },
          body: { ...role(), roleType: 'contractor', methods: [] },
        }),
      },
      errorRoleHeld: {
        field: 'roleType',
        input: async (caller) => {
          const { id, methods } = await heldRole(caller)
          return { params: { id }, body: { ...role(), roleType: 'contractor', methods } }
        },
      },
      errorAdministratorMethods: {
        field: 'methods',
        input: async () => ({ params: { id: await shippedRole('administrator') }, body: { ...role(), methods: [] } }),
      },
      errorDefaultRole: {
        field: 'methods.0',
        input: async () => ({
          params: { id: await shippedRole('user') },
          body: { ...role(), methods: await methodIdsOf('roles.write') },
        }),
      },
    },
  }),
  proof(deleteRole, {
    makes: ['delete roles'],
    prepare: newRole,
    input: ({ id }) => ({ params: { id } }),
    look: (caller, { name }) => listed(caller, name),
    shows: () => [],
    errors: {
      roleFixed: { input: async () => ({ params: { id: await shippedRole('user') } }) },
      roleHeld: { input: async (caller) => ({ params: { id: (await heldRole(caller)).id } }) },
      roleUsed: { input: async () => ({ params: { id: (await plantInvitation()).role.id } }) },
      forbiddenRole: {
        input: async () => ({ params: { id: (await plantRole(await methodIdsOf('users.write'))).id } }),
      },
    },
  }),
  proof(enableRole, {
    makes: ['update roles'],
    prepare: newRole,
    input: ({ id }) => ({ params: { id }, body: { enabled: false } }),
    look: (caller, { id }) => roleOf(caller, id),
    shows: ({ id }) => ({ id, enabled: false }),
    errors: {
      forbiddenRole: {
        input: async () => ({
          params: { id: (await plantRole(await methodIdsOf('users.write'))).id },
          body: { enabled: false },
        }),
      },
      lastAdministrator: {
        by: async () => (await signedInAdministrator(true)).caller,
        input: async () => ({ params: { id: await shippedRole('administrator') }, body: { enabled: false } }),
      },
    },
  }),
  proof(searchRolePlaces, {
    prepare: () => createContractor(),
    input: ({ contractor }) => ({ query: { kind: 'organization' as const, contractorId: contractor.id } }),
    shows: ({ organization: { id, name, nameEn } }) => ({ places: [{ id, name, nameEn }] }),
  }),
  proof(listHolders, {
    prepare: heldRole,
    input: ({ id }) => ({ params: { id }, query: {} }),
    shows: ({ userId }) => ({ holders: [{ id: userId, places: [{ organization: null, contractor: null }] }] }),
  }),
  proof(addHolders, {
    makes: ['update users', 'update roles'],
    prepare: async (caller) => ({ ...(await newRole(caller)), userId: (await createUser({ roles: [] })).id }),
    input: ({ id, userId }) => ({ params: { id }, body: { users: [userId] } }),
    look: (caller, { id }) => holdersOf(caller, id),
    shows: ({ userId }) => [userId],
    errors: {
      errorUser: { field: 'users.0', input: (_, { id }) => ({ params: { id }, body: { users: [randomUUID()] } }) },
      lastAdministrator: {
        by: async () => new Caller((await signedInWith(systemicMethods)).browser),
        input: async () => {
          const { user } = await last()
          await db().update(users).set({ mobile: null }).where(eq(users.id, user.id))
          const { id: roleId } = await plantRole([])
          const code = randomUUID()
          const [schema] = await db()
            .insert(authenticationSchemas)
            .values({ code, name: code, priority: 0, firstFactor: ['sms_code'] })
            .returning()
          await db()
            .insert(authenticationSchemaRoles)
            .values({ schemaId: schema?.id ?? '', roleId })
          return { params: { id: roleId }, body: { users: [user.id] } }
        },
      },
      errorRolePlace: {
        field: 'organizationId',
        input: async (_, { id, userId }) => ({
          params: { id },
          body: { users: [userId], organizationId: (await createContractor()).organization.id },
        }),
      },
      errorRoleOrganization: {
        field: 'organizationId',
        input: async (_, { userId }) => ({
          params: { id: (await plantRole([], 'organizational')).id },
          body: { users: [userId], organizationId: randomUUID() },
        }),
      },
      errorRoleMember: {
        field: 'users.0',
        input: async (_, { userId }) => {
          const { contractor, organization } = await createContractor()
          const body = { users: [userId], organizationId: organization.id, contractorId: contractor.id }
          return { params: { id: (await plantRole([], 'contractor')).id }, body }
        },
      },
      forbiddenRole: {
        input: async (_, { userId }) => ({
          params: { id: (await plantRole(await methodIdsOf('users.write'))).id },
          body: { users: [userId] },
        }),
      },
      forbiddenUser: {
        input: async (_, { id }) => ({
          params: { id },
          body: { users: [(await createUser({ roles: ['administrator'] })).id] },
        }),
      },
    },
  }),
  proof(removeHolder, {
    makes: ['update users', 'update roles'],
    prepare: heldRole,
    input: ({ id, userId }) => ({ params: { id }, query: { userId } }),
    look: (caller, { id }) => caller.call(listHolders, { params: { id }, query: {} }),
    shows: () => ({ holders: [] }),
    errors: {
      forbiddenRole: {
        input: async (_, { userId }) => ({
          params: { id: (await plantRole(await methodIdsOf('users.write'))).id },
          query: { userId },
        }),
      },
      forbiddenUser: {
        input: async (_, { id }) => ({
          params: { id },
          query: { userId: (await createUser({ roles: ['administrator'] })).id },
        }),
      },
      lastAdministrator: {
        by: async () => {
          // the cases before have made others
          alone = undefined
          return (await last()).caller
        },
        input: async () => ({
          params: { id: await shippedRole('administrator') },
          query: { userId: (await last()).user.id },
        }),
      },
    },
  }),
]
