import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { providerMappers, users } from '@/db/schema'
import * as calls from '@/lib/directory-sync/provider-mappers/contract'
import { createProvider } from '@/lib/directory-sync/providers/contract'
import { createRoleWith } from '../../factories/access'
import type { Caller } from '../../factories/caller'
import { createContractorRole } from '../../factories/companies'
import { providerFor, syncOf } from '../../factories/directory'
import { defineField } from '../../factories/fields'
import { proof } from '../../factories/proofs'
import { plantApplicationMethod } from '../../factories/roles'
import { createUser } from '../../factories/users'

const mapperOf = (more: object = {}) => ({
  type: 'users-base' as const,
  name: `Правило ${randomUUID().slice(0, 8)}`,
  before: 'email',
  after: 'email',
  customAttributes: false,
  absent: 'clear' as const,
  ...more,
})
async function prepared(caller: Caller) {
  const { id } = await caller.call(createProvider, { body: providerFor('http://127.0.0.1:1') })
  return { providerId: id, syncId: await syncOf(caller, id), body: mapperOf() }
}
async function added(caller: Caller, more: object = {}) {
  const { providerId, syncId } = await prepared(caller)
  const body = mapperOf(more)
  const params = { syncId }
  return { providerId, syncId, body, ...(await caller.call(calls.createProviderMapper, { params, body })) }
}
type Added = Awaited<ReturnType<typeof added>>
const byId = ({ syncId, id }: Added) => ({ params: { syncId, id } })
const list = async (caller: Caller, { syncId }: { syncId: string }) =>
  (await caller.call(calls.listProviderMappers, { params: { syncId } })).mappers

/** A mapper that gives roles. */
const access = (value: string) => ({
  type: 'users-access' as const,
  before: 'roles',
  after: 'role',
  attributes: [{ attribute: 'staff', value }],
})
const beyond = async () => (await createContractorRole(['license.write'], 'systemic')).id
const contractorRole = async () => (await createContractorRole([], 'contractor')).id
const wrong: Record<string, { field?: string; more: () => Promise<object> | object }> = {
  errorEmpty: { field: 'before', more: () => ({ before: '' }) },
  errorMapperSource: { field: 'before', more: () => ({ before: 'shoeSize' }) },
  errorMapperField: { field: 'after', more: () => ({ after: 'nothing-like-it' }) },
  errorMapperPairs: { field: 'attributes', more: () => ({ ...access(''), attributes: [] }) },
  errorRole: { field: 'attributes.0.value', more: async () => access(await contractorRole()) },
  errorMethodUnknown: {
    field: 'attributes.0.value',
    more: async () => ({ ...access((await plantApplicationMethod()).method.id), after: 'method' }),
  },
  forbiddenRole: { more: async () => access(await beyond()) },
}
const cases = (inputOf: (caller: Caller, given: never, body: object) => Promise<object> | object) =>
  Object.fromEntries(
    Object.entries(wrong).map(([code, { field, more }]) => [
      code,
      {
        ...(field ? { field } : {}),
        input: async (caller: Caller, given: never) => inputOf(caller, given, mapperOf(await more())),
      },
    ]),
  )
/** A synchronization of an OpenID provider. */
async function ofOpenid(caller: Caller) {
  const body = { ...providerFor('http://127.0.0.1:1'), type: 'oidc' as const, realm: '' }
  return syncOf(caller, (await caller.call(createProvider, { body })).id)
}
const ofCreate = {
  ...cases((_, { syncId }: { syncId: string }, body) => ({ params: { syncId }, body })),
  errorMapperAccess: {
    field: 'type',
    input: async (caller: Caller) => ({
      params: { syncId: await ofOpenid(caller) },
      body: mapperOf(access(randomUUID())),
    }),
  },
}
const ofUpdate = {
  ...cases((_, given: Added, body) => ({ ...byId(given), body })),
  errorMapperAccess: {
    field: 'type',
    input: async (caller: Caller) => {
      const params = { syncId: await ofOpenid(caller) }
      const { id } = await caller.call(calls.createProviderMapper, { params, body: mapperOf() })
      return { params: { ...params, id }, body: mapperOf(access(randomUUID())) }
    },
  },
}
/** A mapper of roles that somebody else has added; the caller lacks what they give. */
async function foreign(caller: Caller) {
  const given = await added(caller)
  const attributes = [{ id: randomUUID(), attribute: 'staff', value: await beyond() }]
  await db()
    .update(providerMappers)
    .set({ type: 'users-access', before: 'roles', after: 'role', attributes })
    .where(eq(providerMappers.id, given.id))
  return given
}
/** A mapper of a provider that keeps somebody who holds what the caller lacks. */
async function strong(caller: Caller) {
  const given = await added(caller)
  const user = await createUser({ roles: [await createRoleWith(['license.write'])] })
  const ofProvider = { providerId: given.providerId, externalId: randomUUID() }
  await db().update(users).set(ofProvider).where(eq(users.id, user.id))
  return given
}

export default [
  proof(calls.listProviderMappers, {
    prepare: added,
    input: ({ syncId }) => ({ params: { syncId } }),
    shows: ({ id, body }) => ({ mappers: [{ id, ...body, enabled: true }] }),
  }),
  proof(calls.createProviderMapper, {
    makes: ['create provider-mappers'],
    prepare: prepared,
    input: ({ syncId, body }) => ({ params: { syncId }, body }),
    look: list,
    shows: ({ body }, { id }) => [{ id, ...body }],
    errors: {
      ...ofCreate,
      errorUnique: {
        field: 'name',
        input: async (caller) => {
          const { syncId, body } = await added(caller)
          return { params: { syncId }, body: { ...mapperOf({ after: 'login' }), name: body.name } }
        },
      },
      errorMapperTwice: {
        field: 'after',
        input: async (caller) => ({ params: { syncId: (await added(caller)).syncId }, body: mapperOf() }),
      },
      forbiddenUser: {
        input: async (caller) => ({
          params: { syncId: (await strong(caller)).syncId },
          body: mapperOf({ after: 'login' }),
        }),
      },
    },
  }),
  proof(calls.updateProviderMapper, {
    makes: ['update provider-mappers'],
    prepare: added,
    input: (given) => ({ ...byId(given), body: { ...given.body, before: 'username', after: 'login' } }),
    look: list,
    shows: ({ id }) => [{ id, before: 'username', after: 'login' }],
    errors: {
      ...ofUpdate,
      errorUnique: {
        field: 'name',
        input: async (caller, given) => {
          const body = mapperOf({ after: 'login', before: 'username' })
          await caller.call(calls.createProviderMapper, { params: { syncId: given.syncId }, body })
          return { ...byId(given), body: { ...given.body, name: body.name } }
        },
      },
      errorMapperTwice: {
        field: 'after',
        input: async (caller) => {
          const given = await added(caller)
          const body = mapperOf({ after: 'login', before: 'username' })
          await caller.call(calls.createProviderMapper, { params: { syncId: given.syncId }, body })
          return { ...byId(given), body: { ...given.body, after: 'login' } }
        },
      },
      forbiddenUser: {
        input: async (caller) => {
          const given = await strong(caller)
          return { ...byId(given), body: { ...given.body, before: 'username' } }
        },
      },
    },
  }),
  proof(calls.deleteProviderMapper, {
    makes: ['delete provider-mappers'],
    prepare: added,
    input: byId,
    look: async (caller, given) => ({ mappers: (await list(caller, given)).length }),
    shows: () => ({ mappers: 0 }),
    errors: {
      forbiddenRole: { input: async (caller) => byId(await foreign(caller)) },
      forbiddenUser: { input: async (caller) => byId(await strong(caller)) },
    },
  }),
  proof(calls.enableProviderMapper, {
    makes: ['update provider-mappers'],
    prepare: added,
    input: (given) => ({ ...byId(given), body: { enabled: false } }),
    look: list,
    shows: ({ id }) => [{ id, enabled: false }],
    errors: {
      forbiddenRole: { input: async (caller) => ({ ...byId(await foreign(caller)), body: { enabled: false } }) },
      forbiddenUser: { input: async (caller) => ({ ...byId(await strong(caller)), body: { enabled: false } }) },
      errorMapperTwice: {
        field: 'after',
        input: async (caller) => {
          const given = await added(caller)
          await caller.call(calls.enableProviderMapper, { ...byId(given), body: { enabled: false } })
          await caller.call(calls.createProviderMapper, { params: { syncId: given.syncId }, body: mapperOf() })
          return { ...byId(given), body: { enabled: true } }
        },
      },
    },
  }),
  proof(calls.addBaseMappers, {
    makes: ['create provider-mappers'],
    prepare: prepared,
    input: ({ syncId }) => ({ params: { syncId } }),
    look: list,
    shows: () => [{ after: 'login' }, { after: 'email' }, { after: 'firstName' }, { after: 'lastName' }],
    errors: {
      forbiddenRole: { input: async (caller) => ({ params: { syncId: (await foreign(caller)).syncId } }) },
      forbiddenUser: { input: async (caller) => ({ params: { syncId: (await strong(caller)).syncId } }) },
    },
  }),
  proof(calls.listMapperFields, {
    prepare: async () => ({ code: await defineField({ fieldType: 'input' }) }),
    input: () => ({}),
    shows: ({ code }) => ({
      fields: expect.arrayContaining([expect.objectContaining({ code })]),
      sources: { keycloak: expect.arrayContaining(['username']) },
    }),
  }),
]
