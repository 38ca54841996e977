import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { providerMappers, providers, runs, users } from '@/db/schema'
import * as calls from '@/lib/directory-sync/provider-sync/contract'
import { createProvider, readProvider } from '@/lib/directory-sync/providers/contract'
import { createRoleWith } from '../../factories/access'
import type { Caller } from '../../factories/caller'
import { createContractorRole } from '../../factories/companies'
import { createDirectory, enableSync, providerFor, syncOf, workOnSync } from '../../factories/directory'
import { directoryPerson, startKeycloak } from '../../factories/keycloak'
import { proof } from '../../factories/proofs'
import { createUser } from '../../factories/users'

/** A directory that was synchronized once, with a person whose login can't be taken. */
async function synchronized(caller: Caller) {
  const keycloak = await startKeycloak()
  const wrong = directoryPerson({ username: 'a b' })
  // a login can't be made of it
  delete wrong.email
  keycloak.people = [directoryPerson(), wrong]
  const directory = await createDirectory(caller, keycloak.url)
  await enableSync(caller, directory)
  const { provider } = await caller.call(readProvider, { params: { id: directory.id } })
  return { ...directory, keycloak, wrong, runId: provider.sync[0]?.details.runId ?? '' }
}
type Synchronized = Awaited<ReturnType<typeof synchronized>>
const byId = ({ id }: { id: string }) => ({ params: { id } })
const byRun = ({ runId }: Synchronized) => ({ params: { id: runId } })
const detailsOf = async (caller: Caller, { id }: { id: string }) =>
  (await caller.call(readProvider, { params: { id } })).provider.sync[0]
const runOf = async (caller: Caller, { runId }: Synchronized) =>
  (await caller.call(calls.readProviderRun, { params: { id: runId } })).run

/** A run that was stopped, of a directory that can go on. */
async function begun(caller: Caller) {
  const given = await synchronized(caller)
  const { id: runId } = await caller.call(calls.startProviderSync, { ...byId(given), body: {} })
  return { ...given, runId }
}
async function stopped(caller: Caller) {
  const given = await begun(caller)
  await caller.call(calls.stopProviderRun, byRun(given))
  return given
}
/** The same, when somebody of the directory, or a role that a mapper gives, has more than the caller. */
async function withStrongPerson<G extends { id: string }>(given: G): Promise<G> {
  const user = await createUser({ roles: [await createRoleWith(['license.write'])] })
  await db().update(users).set({ providerId: given.id, externalId: randomUUID() }).where(eq(users.id, user.id))
  return given
}
async function withStrongMapper<G extends { syncId: string }>(given: G): Promise<G> {
  const value = (await createContractorRole(['license.write'], 'systemic')).id
  const attributes = [{ id: randomUUID(), attribute: 'boss', value }]
  const rule = { type: 'users-access' as const, name: randomUUID(), before: 'roles', after: 'role', attributes }
  await db()
    .insert(providerMappers)
    .values({ ...rule, syncId: given.syncId, enabled: true, customAttributes: false })
  return given
}
/** Switches something off that a run needs. */
const without =
  (
    prepare: (caller: Caller) => Promise<Synchronized>,
    change: (caller: Caller, given: Synchronized) => Promise<unknown>,
  ) =>
  async (caller: Caller) => {
    const given = await prepare(caller)
    await change(caller, given)
    return given
  }
const providerOff = (_: Caller, { id }: Synchronized) =>
  db().update(providers).set({ enabled: false }).where(eq(providers.id, id))
const syncOff = (caller: Caller, { id, syncId }: Synchronized) =>
  caller.call(calls.updateProviderSync, { params: { id, syncId }, body: { enabled: false } })

const start = (given: { id: string }) => ({ ...byId(given), body: {} })
async function fresh(caller: Caller) {
  const { id } = await caller.call(createProvider, { body: providerFor('http://127.0.0.1:1') })
  return { id, syncId: await syncOf(caller, id) }
}
const noHistory = 'each account that it writes is recorded as that of whoever set it up'

export default [
  proof(calls.startProviderSync, {
    unrecorded: noHistory,
    prepare: synchronized,
    input: start,
    look: detailsOf,
    shows: (_, { id }) => ({ details: { status: 'process', runId: id, startBarred: 'syncRunning' } }),
    errors: {
      syncProviderOff: { input: async (caller) => start(await without(synchronized, providerOff)(caller)) },
      syncOff: { input: async (caller) => start(await without(synchronized, syncOff)(caller)) },
      syncRunning: { input: async (caller) => start(await begun(caller)) },
      syncFieldsMissing: {
        input: async (caller) => {
          const given = await fresh(caller)
          await db().update(providers).set({ enabled: true }).where(eq(providers.id, given.id))
          await caller.call(calls.updateProviderSync, { params: given, body: { enabled: true } })
          return start(given)
        },
      },
      syncAwait: {
        input: async (caller) => {
          const given = await synchronized(caller)
          await db().delete(runs).where(eq(runs.subject, given.syncId))
          return start(given)
        },
      },
    },
  }),
  proof(calls.updateProviderSync, {
    makes: ['update provider-syncs'],
    prepare: fresh,
    input: (params) => ({
      params,
      body: { enabled: true, periodUnit: 30, periodAmount: 'minutes' as const, syncLimit: 100 },
    }),
    look: detailsOf,
    shows: () => ({ enabled: true, periodUnit: 30, periodAmount: 'minutes', syncLimit: 100 }),
    errors: {
      forbiddenUser: {
        input: async (caller) => ({ params: await withStrongPerson(await fresh(caller)), body: { enabled: false } }),
      },
      forbiddenRole: {
        input: async (caller) => ({ params: await withStrongMapper(await fresh(caller)), body: { enabled: false } }),
      },
      errorSyncOffered: {
        field: 'enabled',
        input: async (caller) => {
          const body = { ...providerFor('http://127.0.0.1:1'), type: 'oidc' as const, realm: '' }
          const { id } = await caller.call(createProvider, { body })
          const params = { id, syncId: await syncOf(caller, id) }
          return { params, body: { enabled: true, periodUnit: 0, periodAmount: 'hours' as const } }
        },
      },
      errorSyncPeriod: {
        field: 'periodUnit',
        input: (_, params) => ({ params, body: { enabled: true, periodUnit: 1, periodAmount: 'minutes' as const } }),
      },
    },
  }),
  proof(calls.listProviderSyncHistory, {
    prepare: synchronized,
    input: ({ syncId }) => ({ params: { syncId }, query: {} }),
    shows: ({ runId }) => ({
      history: [{ id: runId, state: 'done', trigger: 'first', counts: { created: 1 }, failed: 1 }],
      meta: { total: 1 },
    }),
  }),
  proof(calls.readProviderRun, {
    prepare: synchronized,
    input: byRun,
    shows: ({ runId, wrong }) => ({
      run: { id: runId, read: 2, pages: 1, done: 1, failed: 1 },
      faults: [{ externalId: wrong.id, code: 'errorLogin' }],
    }),
  }),
  proof(calls.listProviderRunRows, {
    prepare: synchronized,
    input: (given) => ({ ...byRun(given), query: { filter: { action: 'failed' as const } } }),
    shows: ({ wrong }) => ({ rows: [{ externalId: wrong.id, action: 'failed', userId: null }], meta: { total: 1 } }),
  }),
  proof(calls.stopProviderRun, {
    unrecorded: 'a run is no thing of the history',
    prepare: begun,
    input: byRun,
    look: runOf,
    shows: () => ({ state: 'stopped' }),
    errors: { runOver: { input: async (caller) => byRun(await synchronized(caller)) } },
  }),
  proof(calls.resumeProviderRun, {
    unrecorded: 'a run is no thing of the history',
    prepare: stopped,
    input: (given) => ({ ...byRun(given), body: {} }),
    look: runOf,
    shows: () => ({ state: 'running' }),
    errors: {
      runOver: { input: async (caller) => ({ ...byRun(await synchronized(caller)), body: {} }) },
      syncProviderOff: {
        input: async (caller) => ({ ...byRun(await without(stopped, providerOff)(caller)), body: {} }),
      },
      syncOff: { input: async (caller) => ({ ...byRun(await without(stopped, syncOff)(caller)), body: {} }) },
      runRunning: {
        input: async (caller) => {
          // a trial goes on beside nothing else
          const given = await synchronized(caller)
          const trial = await caller.call(calls.startProviderSync, { ...byId(given), body: { dry: true } })
          await caller.call(calls.stopProviderRun, { params: { id: trial.id } })
          await caller.call(calls.startProviderSync, start(given))
          return { params: { id: trial.id }, body: {} }
        },
      },
      errorSyncDecision: {
        field: 'disable',
        input: async (caller) => {
          const given = await synchronized(caller)
          given.keycloak.people = []
          const { id } = await caller.call(calls.startProviderSync, start(given))
          await workOnSync(caller, id)
          return { params: { id }, body: {} }
        },
      },
    },
  }),
  proof(calls.readProviderRunFaults, {
    prepare: synchronized,
    input: byRun,
    shows: ({ wrong }) => ({ file: expect.stringContaining(`${wrong.id};`) }),
  }),
]
