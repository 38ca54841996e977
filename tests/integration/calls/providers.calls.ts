import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { providerDomains, providerLinks, providerMappers, providers, users } from '@/db/schema'
import { systemicMethods } from '@/lib/base/access/access-methods'
import * as calls from '@/lib/directory-sync/providers/contract'
import { domainByHost } from '@/lib/site/domains/service'
import { createRoleWith, signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { createContractorRole } from '../../factories/companies'
import { providerFor, syncOf } from '../../factories/directory'
import { directoryPerson, startKeycloak } from '../../factories/keycloak'
import { inProduction } from '../../factories/oidc-clients'
import { proof } from '../../factories/proofs'
import { signedInAdministrator } from '../../factories/roles'
import { createUser } from '../../factories/users'

const bodyOf = () => providerFor('http://127.0.0.1:1')
async function added(caller: Caller) {
  const body = bodyOf()
  return { ...body, ...(await caller.call(calls.createProvider, { body })) }
}
type Added = Awaited<ReturnType<typeof added>>
const byId = ({ id }: Added) => ({ params: { id } })
const read = async (caller: Caller, given: Added) => (await caller.call(calls.readProvider, byId(given))).provider
const listed = async (caller: Caller, { name }: { name: string }) =>
  (await caller.call(calls.listProviders, { query: { filter: { search: name } } })).providers

/** Lets a directory keep somebody who holds more than the caller. */
async function withSomebody({ id }: Added, methods: string[] = []) {
  const roles = methods.length > 0 ? [await createRoleWith(methods)] : ['user']
  const user = await createUser({ roles })
  const ofProvider = { providerId: id, externalId: randomUUID() }
  await db().update(users).set(ofProvider).where(eq(users.id, user.id))
}

/** Lets a directory keep the last administrator who could sign in, while nobody signs in there. Returns its domain. */
async function withLast({ id }: Added, enabled: boolean) {
  const { user } = await signedInAdministrator(true)
  await db().update(users).set({ providerId: id, externalId: randomUUID() }).where(eq(users.id, user.id))
  await db().update(providers).set({ enabled }).where(eq(providers.id, id))
  return (await domainByHost('')).id
}
const everything = async () => new Caller((await signedInWith(systemicMethods)).browser)

/** Lets a mapper of a directory give what the caller lacks. */
async function withMapper(caller: Caller, given: Added) {
  const attributes = [
    { id: randomUUID(), attribute: 'boss', value: (await createContractorRole(['license.write'], 'systemic')).id },
  ]
  const rule = { type: 'users-access' as const, name: 'Роли', before: 'roles', after: 'role', attributes }
  await db()
    .insert(providerMappers)
    .values({ ...rule, customAttributes: false, syncId: await syncOf(caller, given.id), createdAt: new Date() })
}

const changed = ({ type: _, id: __, ...body }: Added, more: object = {}) => ({ ...body, clientSecret: '', ...more })
const wrong = (field: string, more: object, within?: typeof inProduction) => ({
  field,
  ...(within ? { within } : {}),
  input: () => ({ body: { ...bodyOf(), ...more } }),
})
const faults = {
  errorRealm: wrong('realm', { type: 'wapps' }),
  errorEmpty: wrong('realm', { realm: '' }),
  errorProviderHttps: wrong('url', {}, inProduction),
  errorDomain: wrong('domains.0', { domains: [randomUUID()] }),
  errorClientCode: wrong('clientId', { clientId: 'portal.example' }),
  errorScopes: wrong('scopes', { scopes: ['email'] }),
}
const ofUpdate = (field: string, more: object, within?: typeof inProduction) => ({
  field,
  ...(within ? { within } : {}),
  input: (_: Caller, given: Added) => ({ ...byId(given), body: changed(given, more) }),
})
/** The imitation with so many people, and a form that leads to it. */
async function reached(people: number) {
  const keycloak = await startKeycloak()
  keycloak.people = Array.from({ length: people }, () => directoryPerson())
  const { name: _, ...body } = providerFor(keycloak.url)
  return { keycloak, body }
}
let crowd = 0

export default [
  proof(calls.listProviders, {
    prepare: added,
    input: ({ name }) => ({ query: { filter: { search: name } } }),
    shows: ({ id, name, url }) => ({
      providers: [{ id, name, url, secretTail: 'cret', people: 0 }],
      meta: { total: 1 },
    }),
  }),
  proof(calls.readProvider, {
    prepare: added,
    input: byId,
    shows: ({ id, name }) => ({ provider: { id, name, enabled: false, realm: 'staff' } }),
  }),
  proof(calls.createProvider, {
    makes: ['create providers'],
    prepare: async () => bodyOf(),
    input: (body) => ({ body }),
    look: listed,
    shows: ({ clientSecret: _, ...body }, { id }) => [
      {
        ...body,
        id,
        enabled: false,
        // by default fifty people a page, and no schedule
        sync: [
          { enabled: false, periodUnit: 0, periodAmount: 'hours', syncLimit: 50, details: { status: 'disabled' } },
        ],
      },
    ],
    errors: {
      ...faults,
      errorUnique: {
        field: 'name',
        input: async (caller) => ({ body: { ...bodyOf(), name: (await added(caller)).name } }),
      },
      forbiddenSetting: { input: () => ({ body: { ...bodyOf(), emailDomains: ['staff.example'] } }) },
    },
  }),
  proof(calls.updateProvider, {
    makes: ['update providers'],
    prepare: added,
    input: (given) => ({
      ...byId(given),
      body: changed(given, { name: `${given.name} 2` }),
    }),
    look: read,
    shows: ({ name }) => ({ name: `${name} 2`, secretTail: 'cret' }),
    errors: {
      errorRealm: {
        field: 'realm',
        input: async (caller) => {
          const body = { ...bodyOf(), type: 'wapps' as const, realm: '' }
          const { id } = await caller.call(calls.createProvider, { body })
          const { type: _, ...rest } = body
          return { params: { id }, body: { ...rest, realm: 'staff' } }
        },
      },
      errorEmpty: ofUpdate('realm', { realm: '' }),
      errorProviderHttps: ofUpdate('url', {}, inProduction),
      errorDomain: ofUpdate('domains.0', { domains: [randomUUID()] }),
      errorClientCode: ofUpdate('clientId', { clientId: 'portal.example', clientSecret: 'another' }),
      errorScopes: ofUpdate('scopes', { scopes: ['email'] }),
      errorSecretAgain: ofUpdate('clientSecret', { url: 'http://127.0.0.1:2' }),
      errorUnique: {
        field: 'name',
        input: async (caller, given) => ({
          ...byId(given),
          body: changed(given, { name: (await added(caller)).name }),
        }),
      },
      forbiddenUser: {
        input: async (caller) => {
          const given = await added(caller)
          await withSomebody(given, ['license.write'])
          return { ...byId(given), body: changed(given, { name: `${given.name} 3` }) }
        },
      },
      forbiddenSetting: {
        input: (_, given) => ({ ...byId(given), body: changed(given, { emailDomains: ['a.example'] }) }),
      },
      forbiddenRole: {
        input: async (caller) => {
          const given = await added(caller)
          await withMapper(caller, given)
          const elsewhere = { url: 'http://127.0.0.1:2', clientSecret: 'of another directory' }
          return { ...byId(given), body: changed(given, elsewhere) }
        },
      },
      lastAdministrator: {
        by: everything,
        input: async (caller) => {
          const given = await added(caller)
          return { ...byId(given), body: changed(given, { domains: [await withLast(given, true)] }) }
        },
      },
    },
  }),
  proof(calls.deleteProvider, {
    makes: ['delete providers'],
    prepare: added,
    input: byId,
    look: listed,
    shows: () => [],
    errors: {
      providerUsed: {
        input: async (caller) => {
          const given = await added(caller)
          await withSomebody(given)
          return byId(given)
        },
      },
      forbiddenUser: {
        input: async (caller) => {
          const given = await added(caller)
          const { id: userId } = await createUser({ roles: [await createRoleWith(['license.write'])] })
          await db()
            .insert(providerLinks)
            .values({ providerId: given.id, userId, externalId: randomUUID(), createdAt: new Date() })
          return byId(given)
        },
      },
      forbiddenRole: {
        input: async (caller) => {
          const given = await added(caller)
          await withMapper(caller, given)
          return byId(given)
        },
      },
    },
  }),
  proof(calls.enableProvider, {
    makes: ['update providers'],
    prepare: added,
    input: (given) => ({ ...byId(given), body: { enabled: true } }),
    look: read,
    shows: () => ({ enabled: true }),
    errors: {
      forbiddenUser: {
        input: async (caller) => {
          const given = await added(caller)
          await withSomebody(given, ['license.write'])
          return { ...byId(given), body: { enabled: true } }
        },
      },
      forbiddenSetting: {
        input: async (caller) => {
          const given = await added(caller)
          await db()
            .update(providers)
            .set({ emailDomains: ['b.example'] })
            .where(eq(providers.id, given.id))
          return { ...byId(given), body: { enabled: true } }
        },
      },
      forbiddenRole: {
        input: async (caller) => {
          const given = await added(caller)
          await withMapper(caller, given)
          return { ...byId(given), body: { enabled: true } }
        },
      },
      lastAdministrator: {
        by: everything,
        input: async (caller) => {
          const given = await added(caller)
          await db()
            .insert(providerDomains)
            .values({ providerId: given.id, domainId: await withLast(given, false) })
          return { ...byId(given), body: { enabled: true } }
        },
      },
    },
  }),
  proof(calls.checkProvider, {
    reads: true,
    prepare: () => {
      crowd++
      return reached(crowd)
    },
    input: ({ body }) => ({ body }),
    shows: ({ keycloak }) => ({ status: 'success', people: keycloak.people.length }),
    errors: {
      errorRealm: { field: 'realm', input: (_, { body }) => ({ body: { ...body, type: 'wapps' } }) },
      errorClientCode: {
        field: 'clientId',
        input: (_, { body }) => ({ body: { ...body, clientId: 'portal.example' } }),
      },
      errorEmpty: { field: 'clientSecret', input: (_, { body }) => ({ body: { ...body, clientSecret: '' } }) },
      errorProviderHttps: { field: 'url', within: inProduction, input: (_, { body }) => ({ body }) },
      errorSecretAgain: {
        field: 'clientSecret',
        input: async (caller, { body }) => ({ body: { ...body, id: (await added(caller)).id, clientSecret: '' } }),
      },
      notFound: { input: (_, { body }) => ({ body: { ...body, id: randomUUID() } }) },
      providerConnection: { input: (_, { body }) => ({ body: { ...body, url: 'http://127.0.0.1:1' } }) },
      providerSecret: { input: (_, { body }) => ({ body: { ...body, clientSecret: 'another' } }) },
      providerAccess: {
        input: async () => {
          const { keycloak, body } = await reached(1)
          keycloak.rights = false
          return { body }
        },
      },
      tooManyAttempts: {
        by: async () => {
          const eager = new Caller((await signedInWith(['providers.read', 'providers.write'])).browser)
          const { name: _, ...body } = bodyOf()
          for (let n = 0; n < 60; n++) await eager.send(calls.checkProvider, { body })
          return eager
        },
        input: (_, { body }) => ({ body }),
      },
    },
  }),
  proof(calls.readProviderSecret, {
    makes: ['update providers'],
    prepare: async (caller) => {
      const clientSecret = randomUUID()
      const { id } = await caller.call(calls.createProvider, { body: { ...bodyOf(), clientSecret } })
      return { id, clientSecret }
    },
    input: ({ id }) => ({ params: { id } }),
    shows: ({ clientSecret }) => ({ secret: clientSecret }),
    errors: {
      forbiddenRole: {
        input: async (caller) => {
          const given = await added(caller)
          await withMapper(caller, given)
          return byId(given)
        },
      },
      forbiddenUser: {
        input: async (caller) => {
          const given = await added(caller)
          await withSomebody(given, ['license.write'])
          return byId(given)
        },
      },
    },
  }),
]
