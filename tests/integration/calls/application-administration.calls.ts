import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { applications, methods, oidcRecords } from '@/db/schema'
import * as calls from '@/lib/applications/applications/contract'
import * as sessions from '@/lib/openid/application-sessions/contract'
import * as details from '@/lib/openid/applications/contract'
import {
  type MadeApplication as Made,
  newClient,
  readApplication as read,
  refusals,
  withGivenMethod,
} from '../../factories/administered-applications'
import { newApplication } from '../../factories/applications'
import type { Caller } from '../../factories/caller'
import { first } from '../../factories/platform'
import { proof } from '../../factories/proofs'
import { createUser } from '../../factories/users'

const body = (values: object = {}) => ({
  type: 'link' as const,
  name: randomUUID(),
  nameEn: 'Stock',
  code: `a-${randomUUID()}`,
  url: 'https://stock.example/',
  ip: ['192.0.2.0/24'],
  ...values,
})
const unknown = randomUUID()
const refusedFields = <P>(of: (caller: Caller, prepared: P) => object) => ({
  errorDomain: {
    field: 'domains.0',
    input: (c: Caller, p: P) => ({ ...of(c, p), body: body({ domains: [unknown] }) }),
  },
  errorParent: {
    field: 'parentId',
    // neither it nor its parent is virtual
    input: async (c: Caller, p: P) => ({ ...of(c, p), body: body({ parentId: (await newApplication()).id }) }),
  },
  errorInternal: { field: 'type', input: (c: Caller, p: P) => ({ ...of(c, p), body: body({ type: 'internal' }) }) },
  errorUnique: {
    field: 'code',
    input: async (c: Caller, p: P) => ({ ...of(c, p), body: body({ code: (await newApplication()).code }) }),
  },
})
const methodOf = async (code: string) => first(await db().select().from(methods).where(eq(methods.code, code))).id

/** A person who is signed in to a client. */
const signedIn = async () => {
  const [client, user] = [await newClient(), await createUser({ lastName: randomUUID() })]
  const [id, grantId] = [randomUUID(), randomUUID()]
  const row = { grantId, accountId: user.id, clientId: client.clientId, expiresAt: new Date('2126-01-01') }
  await db()
    .insert(oidcRecords)
    .values([
      { ...row, idHash: id, model: 'Grant', payload: 'sealed' },
      { ...row, idHash: randomUUID(), model: 'AccessToken', payload: 'sealed' },
    ])
  return { ...client, id, userId: user.id }
}
type Session = Awaited<ReturnType<typeof signedIn>>
const sessionsOf = async (caller: Caller, { application }: Session) =>
  (await caller.call(sessions.listApplicationSessions, { query: { filter: { applicationId: application.id } } }))
    .sessions

/** The address of an application with a method. */
async function addressOfApi(): Promise<string> {
  const url = `https://${randomUUID()}.example/`
  const { id } = await newApplication({ url })
  await db().insert(methods).values({ code: 'x', name: 'X', kind: 'application', applicationId: id })
  return url
}

export default [
  proof(calls.listApplications, {
    prepare: async () => newApplication({ name: 'Склад' }),
    input: ({ code }) => ({ query: { filter: { search: code } } }),
    shows: ({ id, code }) => ({ applications: [{ id, code, type: 'external', clientId: null, clientCount: 0 }] }),
  }),
  proof(details.readApplicationDetails, {
    prepare: async () => newClient(),
    input: ({ application: { id } }) => ({ params: { id } }),
    shows: ({ application, clientId }) => ({
      application: {
        id: application.id,
        beyond: false,
        clients: [{ clientId, secrets: [{ tail: 'Qx7e' }, { tail: 'm2Kd' }] }],
      },
    }),
  }),
  proof(calls.createApplication, {
    makes: ['create applications'],
    // a virtual one stands inside of any other
    prepare: async () => ({ ...body({ type: 'virtual' }), parentId: (await newApplication()).id }),
    input: (values) => ({ body: values }),
    look: async (caller, { code }) =>
      (await caller.call(calls.listApplications, { query: { filter: { search: code } } })).applications,
    shows: ({ code, name, parentId }, { id }) => [
      { id, code, name, parentId, type: 'virtual', nameEn: 'Stock', url: 'https://stock.example/' },
    ],
    errors: refusedFields<unknown>(() => ({})),
  }),
  proof(calls.updateApplication, {
    makes: ['update applications'],
    prepare: async () => newApplication(),
    input: ({ id, code }) => ({
      params: { id },
      body: body({ code, name: 'Другое', techUrl: 'https://tech.example/' }),
    }),
    look: read,
    shows: () => ({ name: 'Другое', type: 'link', techUrl: 'https://tech.example/', ip: ['192.0.2.0/24'] }),
    errors: {
      ...refusedFields((_caller, { id }: Made) => ({ params: { id } })),
      ...refusals(({ id, code }) => ({ params: { id }, body: body({ code }) })),
      forbiddenAddress: {
        input: async () => {
          const { id, code } = await withGivenMethod()
          return { params: { id }, body: body({ code }) }
        },
      },
      addressOfApi: {
        input: async () => {
          const { id, code } = await newApplication()
          return { params: { id }, body: body({ code, url: await addressOfApi() }) }
        },
      },
      errorCodeFixed: {
        field: 'code',
        input: async () => {
          const { id } = await newApplication({ type: 'link' })
          await db().update(applications).set({ immutable: true }).where(eq(applications.id, id))
          return { params: { id }, body: body() }
        },
      },
      errorVirtualUsed: {
        field: 'type',
        input: async () => {
          const { id, code } = await newApplication({ type: 'virtual' })
          await newApplication({ parentId: id })
          return { params: { id }, body: body({ code }) }
        },
      },
    },
  }),
  proof(details.deleteApplication, {
    makes: ['delete applications'],
    prepare: async () => newApplication(),
    input: ({ id }) => ({ params: { id } }),
    look: async (caller, { code }) =>
      (await caller.call(calls.listApplications, { query: { filter: { search: code } } })).applications,
    shows: () => [],
    errors: {
      ...refusals(({ id }) => ({ params: { id } })),
      forbiddenMethods: { input: async () => ({ params: { id: (await withGivenMethod()).id } }) },
    },
  }),
  proof(calls.enableApplication, {
    makes: ['update applications'],
    prepare: async () => newApplication(),
    input: ({ id }) => ({ params: { id }, body: { enabled: false } }),
    look: read,
    shows: () => ({ enabled: false }),
    errors: refusals(({ id }) => ({ params: { id }, body: { enabled: false } })),
  }),
  proof(calls.showApplication, {
    makes: ['update applications'],
    prepare: async () => newApplication({ type: 'link' }),
    input: ({ id }) => ({ params: { id }, body: { menuVisible: true } }),
    look: read,
    shows: () => ({ menuVisible: true }),
    errors: {
      ...refusals(({ id }) => ({ params: { id }, body: { menuVisible: false } })),
      errorMenuVisible: {
        field: 'menuVisible',
        input: async () => ({ params: { id: (await newApplication()).id }, body: { menuVisible: true } }),
      },
    },
  }),
  proof(calls.orderApplications, {
    makes: ['update applications'],
    prepare: async (caller) => {
      const last = await newApplication()
      const { applications: all } = await caller.call(calls.listApplications, { query: { meta: { perPage: 100 } } })
      return { last, ids: [last.id, ...all.map(({ id }) => id).filter((id) => id !== last.id)] }
    },
    input: ({ ids }) => ({ body: { order: ids.map((id, order) => ({ id, order })) } }),
    look: async (caller, { last }) => ({ order: (await read(caller, last)).order }),
    shows: () => ({ order: 0 }),
    errors: { conflict: { input: () => ({ body: { order: [] } }) } },
  }),
  proof(calls.updateApplicationMethods, {
    makes: ['update applications'],
    prepare: async () => newApplication(),
    input: ({ id }) => ({ params: { id }, body: { methods: [{ code: 'stock.read', name: 'Остатки' }] } }),
    look: read,
    shows: () => ({ methods: [{ code: 'stock.read', name: 'Остатки', roles: 0 }] }),
    errors: {
      ...refusals(({ id }) => ({ params: { id }, body: { methods: [] } })),
      errorMethodUnknown: {
        field: 'methods.0.id',
        input: async () => ({
          params: { id: (await newApplication()).id },
          body: { methods: [{ id: unknown, code: 'x', name: 'X' }] },
        }),
      },
      addressOfApi: {
        input: async () => ({
          params: { id: (await newApplication({ url: await addressOfApi() })).id },
          body: { methods: [{ code: 'x', name: 'X' }] },
        }),
      },
      methodUsed: {
        input: async () => ({ params: { id: (await withGivenMethod()).id }, body: { methods: [] } }),
      },
    },
  }),
  proof(details.updateServiceMethods, {
    makes: ['update applications'],
    prepare: async () => ({ ...(await newApplication()), method: await methodOf('applications.read') }),
    input: ({ id, method }) => ({ params: { id }, body: { methods: [method] } }),
    look: read,
    shows: () => ({ serviceMethods: [{ code: 'applications.read', application: null }] }),
    errors: {
      ...refusals(({ id }) => ({ params: { id }, body: { methods: [] } })),
      errorMethod: {
        field: 'methods.0',
        input: async () => ({ params: { id: (await newApplication()).id }, body: { methods: [unknown] } }),
      },
      forbiddenMethod: {
        field: 'methods.0',
        input: async () => ({
          params: { id: (await newApplication()).id },
          body: { methods: [await methodOf('users.write')] },
        }),
      },
    },
  }),
  proof(details.filterMethods, {
    prepare: async () => {
      const { id } = await newApplication()
      await db().insert(methods).values({ code: 'seen', name: 'Видно', kind: 'application', applicationId: id })
      return { id }
    },
    input: () => ({ query: {} }),
    shows: ({ id }) => ({
      applications: expect.arrayContaining([
        expect.objectContaining({ id, methods: [expect.objectContaining({ code: 'seen', name: 'Видно' })] }),
      ]),
    }),
  }),
  proof(details.previewClaims, {
    prepare: async () => newClient(),
    input: ({ clientId }) => ({ params: { clientId }, query: { scope: 'openid' } }),
    shows: ({ clientId }) => ({
      clientId,
      usable: true,
      open: true,
      consent: true,
      claims: expect.stringContaining('"sub"'),
    }),
  }),
  proof(sessions.listApplicationSessions, {
    prepare: signedIn,
    input: ({ application: { id } }) => ({ query: { filter: { applicationId: id, dateFrom: '2020-01-01' } } }),
    shows: ({ id, clientId, userId, application }) => ({
      sessions: [{ id, clientId, application: { id: application.id }, user: { id: userId, login: null } }],
    }),
  }),
  proof(sessions.endApplicationSession, {
    makes: ['update applications'],
    prepare: signedIn,
    input: ({ id, clientId }) => ({ params: { id }, query: { clientId } }),
    look: async (caller, session) => ({ left: (await sessionsOf(caller, session)).length }),
    shows: () => ({ left: 0 }),
  }),
  proof(sessions.endApplicationSessions, {
    makes: ['update applications'],
    prepare: signedIn,
    input: ({ application: { id } }) => ({ query: { applicationId: id } }),
    look: async (caller, session) => ({ left: (await sessionsOf(caller, session)).length }),
    shows: () => ({ left: 0 }),
  }),
]
