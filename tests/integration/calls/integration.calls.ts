import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { integrationSyncs, runs } from '@/db/schema'
import { env } from '@/lib/base/runtime/env'
import * as journal from '@/lib/exchanges/exchange-journal/contract'
import { type IntegrationKey, integrationKeys } from '@/lib/exchanges/exchange-journal/keys'
import * as calls from '@/lib/exchanges/exchanges/contract'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import {
  connect,
  exchanged,
  integrator,
  journalOf,
  mayExchange,
  resetSync,
  syncIdOf,
} from '../../factories/integration'
import { contractorItem } from '../../factories/integration-items'
import { startOtherSystem } from '../../factories/other-system'
import { proof } from '../../factories/proofs'

const key: IntegrationKey = 'contractors.import'
const secret = 'a-secret-of-the-test'
const url = 'http://127.0.0.1:1/api'
let searched = 0
const byId = (id: string) => ({ params: { id } })

/** Somebody with the rights of the area alone, who may not write contractors. */
const alone = async () => new Caller((await signedInWith(['integration.write'])).browser)
const forbidden = async () => new Caller((await signedInWith(['integration.read'])).browser)

/** An exchange whose source has one row that can be written and one that can't. */
async function connected(exchanger: Caller, more: object = {}) {
  await mayExchange(exchanger)
  const source = await startOtherSystem()
  source.items = [contractorItem(), contractorItem({ inn: '12' })]
  const caller = await integrator()
  return { id: await connect(caller, key, source.url, more), source, caller }
}
type Connected = Awaited<ReturnType<typeof connected>>
async function done(caller: Caller) {
  const given = await connected(caller)
  const run = await exchanged(given.caller, given.id)
  const [exchange] = await journalOf(run.id)
  return { ...given, runId: run.id, exchangeId: exchange?.id ?? '' }
}
async function begun(caller: Caller) {
  const given = await connected(caller)
  return { ...given, runId: (await given.caller.call(calls.startIntegrationSync, byId(given.id))).id }
}
async function stopped(caller: Caller) {
  const given = await begun(caller)
  await given.caller.call(calls.stopIntegrationRun, byId(given.runId))
  return given
}
const off = ({ id }: { id: string }) =>
  db().update(integrationSyncs).set({ enabled: false }).where(eq(integrationSyncs.id, id))
const unset = ({ id }: { id: string }) =>
  db().update(integrationSyncs).set({ url: '' }).where(eq(integrationSyncs.id, id))
const syncOf = async (caller: Caller, id: string) =>
  (await caller.call(calls.readIntegrationSync, byId(id))).synchronization
const runOf = async (caller: Caller, id: string) => (await caller.call(calls.readIntegrationRun, byId(id))).run

/** What another system answers, for each code of a check. */
const checked = (change: (given: Connected) => unknown) => async () => {
  const given = await connected(await integrator())
  await change(given)
  return byId(given.id)
}
const answers = (status: number) => checked(({ source }) => Object.assign(source, { instead: () => status }))
const mine = { by: integrator }
const inProduction = async <T>(work: () => Promise<T>): Promise<T> => {
  const { PLATFORM_MODE } = env()
  env().PLATFORM_MODE = 'production'
  try {
    return await work()
  } finally {
    env().PLATFORM_MODE = PLATFORM_MODE
  }
}

/** What takes 30 seconds takes a moment. */
const hurried = async <T>(work: () => Promise<T>): Promise<T> => {
  const { timeout } = AbortSignal
  AbortSignal.timeout = () => timeout(50)
  try {
    return await work()
  } finally {
    AbortSignal.timeout = timeout
  }
}

const body = { url, auth: 'bearer' as const, secret, periodUnit: 2, periodAmount: 'hours' as const, pageSize: 50 }
const put = (id: string, more: object) => ({ params: { id }, body: { ...body, ...more } })
const fresh = async (caller?: Caller) => {
  if (caller) await mayExchange(caller)
  return { id: await resetSync(key) }
}
const wrong = (field: string, more: object, rest: object = {}) => ({
  field,
  ...mine,
  ...rest,
  input: async () => put((await fresh()).id, more),
})

export default [
  proof(calls.listIntegrationSyncs, {
    prepare: connected,
    input: () => ({ query: {} }),
    shows: ({ id, source }) => ({
      synchronizations: expect.arrayContaining([expect.objectContaining({ id, key, enabled: true, url: source.url })]),
      meta: { total: 4 },
    }),
  }),
  proof(calls.readIntegrationSync, {
    prepare: connected,
    input: ({ id }) => byId(id),
    shows: ({ id, source }) => ({
      synchronization: {
        id,
        key,
        url: source.url,
        secretTail: '',
        vouched: false,
        details: { status: 'await', startBarred: null },
      },
    }),
  }),
  proof(calls.updateIntegrationSync, {
    makes: ['update integration-syncs'],
    prepare: fresh,
    input: ({ id }) => put(id, {}),
    look: (caller, { id }) => syncOf(caller, id),
    shows: () => ({ url, auth: 'bearer', secretTail: secret.slice(-4), periodUnit: 2, pageSize: 50 }),
    errors: {
      errorIntegrationHttps: wrong('url', {}, { within: inProduction }),
      errorIntegrationHeader: wrong('authName', { auth: 'header', authName: 'Content-Length' }),
      errorIntegrationPeriod: wrong('periodUnit', { periodUnit: 1, periodAmount: 'minutes' }),
      errorEmpty: wrong('secret', { secret: '' }),
      errorSecretAgain: {
        field: 'secret',
        ...mine,
        input: async () => {
          const { id, caller } = await connected(await integrator())
          await caller.call(calls.updateIntegrationSync, put(id, {}))
          return put(id, { url: `${url}/elsewhere`, secret: '' })
        },
      },
      forbiddenExchange: { by: alone, input: async () => put((await fresh()).id, {}) },
    },
  }),
  proof(calls.enableIntegrationSync, {
    makes: ['update integration-syncs'],
    prepare: async (caller) => {
      const given = await connected(caller)
      await off(given)
      return { ...given, updatedAt: (await syncOf(given.caller, given.id)).updatedAt }
    },
    input: ({ id, updatedAt }) => ({ params: { id }, body: { enabled: true, updatedAt } }),
    look: (caller, { id }) => syncOf(caller, id),
    shows: () => ({ enabled: true }),
    errors: {
      integrationUnset: { ...mine, input: async () => ({ params: await fresh(), body: { enabled: true } }) },
      forbiddenExchange: {
        by: alone,
        input: async () => {
          const given = await connected(await integrator())
          await off(given)
          return { params: { id: given.id }, body: { enabled: true } }
        },
      },
    },
  }),
  proof(calls.startIntegrationSync, {
    unrecorded: 'each contractor that it writes is recorded as that of whoever started it',
    prepare: connected,
    input: ({ id }) => byId(id),
    look: (caller, { id }) => syncOf(caller, id),
    shows: (_, { id }) => ({ details: { status: 'process', runId: id, startBarred: 'integrationRunning' } }),
    errors: {
      integrationOff: {
        ...mine,
        input: async (caller) => {
          const given = await connected(caller)
          await off(given)
          return byId(given.id)
        },
      },
      integrationUnset: { ...mine, input: async () => byId((await fresh()).id) },
      integrationRunning: { ...mine, input: async (caller) => byId((await begun(caller)).id) },
      forbiddenExchange: { by: alone, input: async (caller) => byId((await connected(caller)).id) },
    },
  }),
  proof(calls.checkIntegrationSync, {
    unrecorded: 'it reads or sends nothing that stays',
    prepare: connected,
    input: ({ id }) => byId(id),
    look: async (caller) => (await caller.call(journal.listExchanges, { query: { filter: { key } } })).monitoring,
    shows: () => [{ key, status: 'success', runId: null }],
    errors: {
      integrationUnset: { ...mine, input: async () => byId((await fresh()).id) },
      forbiddenExchange: { by: alone, input: async (caller) => byId((await connected(caller)).id) },
      tooManyAttempts: {
        by: async () => {
          const eager = await integrator()
          const id = await syncIdOf(key)
          for (let at = 0; at < 60; at++) await eager.send(calls.checkIntegrationSync, byId(id))
          return eager
        },
        input: (_, { id }) => byId(id),
      },
      integrationTimeout: {
        ...mine,
        within: hurried,
        input: checked(({ source }) => {
          source.instead = () => new Promise(() => {})
        }),
      },
      integrationAddress: {
        ...mine,
        within: inProduction,
        input: checked(() => undefined),
      },
      integrationConnection: { ...mine, input: checked(({ source }) => source.stop()) },
      integrationAccess: { ...mine, input: answers(401) },
      integrationRedirect: { ...mine, input: answers(302) },
      integrationAnswer: { ...mine, input: answers(404) },
      integrationTooLarge: {
        ...mine,
        input: checked(({ source }) => {
          source.instead = () => ({ body: `"${'x'.repeat(17 * 1024 * 1024)}"` })
        }),
      },
      integrationFormat: {
        ...mine,
        input: checked(({ source }) => {
          source.instead = () => ({ body: '<html>' })
        }),
      },
    },
  }),
  proof(calls.listIntegrationRuns, {
    prepare: done,
    input: ({ id }) => ({ params: { id }, query: {} }),
    shows: ({ runId }) => ({
      runs: [{ id: runId, state: 'done', trigger: 'manual', pages: 1, done: 1, failed: 1 }],
      meta: { total: 1 },
    }),
  }),
  proof(calls.readIntegrationRun, {
    prepare: done,
    input: ({ runId }) => byId(runId),
    shows: ({ runId }) => ({
      run: { id: runId, total: 2, done: 1, failed: 1 },
      faults: [{ row: 2, code: 'errorInn', params: { column: 'inn' } }],
    }),
  }),
  proof(calls.stopIntegrationRun, {
    unrecorded: 'a run is no thing of the history',
    prepare: begun,
    input: ({ runId }) => byId(runId),
    look: (caller, { runId }) => runOf(caller, runId),
    shows: () => ({ state: 'stopped' }),
    errors: { runOver: { input: async (caller) => byId((await done(caller)).runId) } },
  }),
  proof(calls.resumeIntegrationRun, {
    unrecorded: 'a run is no thing of the history',
    prepare: stopped,
    input: ({ runId }) => byId(runId),
    look: (caller, { runId }) => runOf(caller, runId),
    shows: () => ({ state: 'running' }),
    errors: {
      runOver: { ...mine, input: async (caller) => byId((await done(caller)).runId) },
      runRunning: {
        ...mine,
        input: async (caller) => {
          const { runId } = await stopped(caller)
          // nothing but a race lets another one begin in between
          const [run] = await db().select().from(runs).where(eq(runs.id, runId))
          const earlier = new Date((run?.createdAt.getTime() ?? 0) - 1_000)
          if (run)
            await db()
              .insert(runs)
              .values({ ...run, id: randomUUID(), state: 'running', createdAt: earlier })
          return byId(runId)
        },
      },
      integrationOff: {
        ...mine,
        input: async (caller) => {
          const given = await stopped(caller)
          await off(given)
          return byId(given.runId)
        },
      },
      integrationUnset: {
        ...mine,
        input: async (caller) => {
          const given = await stopped(caller)
          await unset(given)
          return byId(given.runId)
        },
      },
      forbiddenExchange: { by: alone, input: async (caller) => byId((await stopped(caller)).runId) },
    },
  }),
  proof(calls.readIntegrationRunFaults, {
    prepare: done,
    input: ({ runId }) => byId(runId),
    shows: ({ source }) => ({
      file: expect.stringContaining(`;${(source.items[1] as { name: string }).name};inn: `),
    }),
    errors: { forbiddenExchange: { by: forbidden, input: async (caller) => byId((await done(caller)).runId) } },
  }),
  proof(journal.searchIntegrationKeys, {
    prepare: async () => integrationKeys[searched++ % integrationKeys.length] as IntegrationKey,
    input: (searched) => ({ query: { searchValue: searched.toUpperCase() } }),
    shows: (searched) => ({ keys: [searched] }),
  }),
  proof(journal.listExchanges, {
    prepare: done,
    input: ({ runId }) => ({ query: { filter: { runId, status: ['success' as const], key: [key] } } }),
    shows: ({ runId, exchangeId }) => ({
      monitoring: [{ id: exchangeId, key, status: 'success', request: exchangeId, response: exchangeId, runId }],
      meta: { total: 1 },
    }),
  }),
  proof(journal.readExchangeRequest, {
    prepare: done,
    input: ({ exchangeId }) => byId(exchangeId),
    shows: ({ source }) => ({ file: expect.stringContaining(`GET ${source.url}?limit=10\n`) }),
    errors: { forbiddenExchange: { by: forbidden, input: async (caller) => byId((await done(caller)).exchangeId) } },
  }),
  proof(journal.readExchangeResponse, {
    prepare: done,
    input: ({ exchangeId }) => byId(exchangeId),
    shows: ({ source }) => ({
      file: expect.stringContaining(String((source.items[0] as { externalCode: string }).externalCode)),
    }),
    errors: { forbiddenExchange: { by: forbidden, input: async (caller) => byId((await done(caller)).exchangeId) } },
  }),
]
