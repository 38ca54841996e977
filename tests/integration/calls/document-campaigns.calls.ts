import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { runRows, runs } from '@/db/schema'
import * as calls from '@/lib/documents/document-campaigns/contract'
import { idOf } from '../../factories/access-requests'
import { agreed, askingDomain, requiredAgreement, signedInAt } from '../../factories/agreements'
import type { Caller } from '../../factories/caller'
import { proof, provenIn } from '../../factories/proofs'
import { createUser } from '../../factories/users'

/** An agreement that a domain asks for, and somebody who hasn't agreed to it. */
async function asked(caller: Caller) {
  await db()
    .delete(runs)
    .where(eq(runs.userId, await idOf(caller)))
  const domain = await askingDomain()
  const document = await requiredAgreement([domain])
  const person = await createUser({ roles: [] })
  await signedInAt(person.id, domain)
  return { ...document, person, domain }
}

/** The same, with reminders begun. */
async function begun(caller: Caller) {
  const given = await asked(caller)
  const started = await caller.call(calls.startReminders, { params: { id: given.id }, body: { version: 1 } })
  return { ...given, run: started.id }
}
type Begun = Awaited<ReturnType<typeof begun>>

async function stopped(caller: Caller) {
  const given = await begun(caller)
  await caller.call(calls.stopReminderRun, { params: { id: given.run } })
  return given
}

const params = ({ run }: Begun) => ({ params: { id: run } })
const state = async (caller: Caller, { run }: Begun) =>
  (await caller.call(calls.readReminderRun, { params: { id: run } })).run
const over = {
  input: async (caller: Caller) => {
    const given = await begun(caller)
    await db().update(runs).set({ state: 'done' }).where(eq(runs.id, given.run))
    return params(given)
  },
}
const noHistory = 'the start is recorded, with how many it reminds'

export default [
  proof(calls.listAcceptances, {
    prepare: async (caller) => {
      const given = await asked(caller)
      await agreed(given.person.id, given.id, 1)
      return given
    },
    input: ({ id, person }) => ({ params: { id }, query: { filter: { search: person.login } } }),
    shows: ({ person }) => ({
      acceptances: [{ id: person.id, name: person.fio, email: person.email, state: 'accepted', version: 1 }],
    }),
  }),
  provenIn(calls.exportAcceptances, ['documents/document-campaigns.test.ts']),
  proof(calls.readCampaign, {
    prepare: asked,
    input: ({ id }) => ({ params: { id } }),
    shows: ({ domain }) => ({
      domains: [{ id: domain }],
      version: 1,
      concerned: 1,
      left: 1,
      agreed: 0,
      refused: 0,
      reminded: 0,
      remindedAt: null,
      versions: [],
      run: null,
    }),
  }),
  proof(calls.startReminders, {
    makes: ['update documents'],
    prepare: asked,
    input: ({ id }) => ({ params: { id }, body: { version: 1 } }),
    look: async (caller) => caller.call(calls.listReminderRuns),
    shows: () => ({ runs: [{ state: 'running', done: 0, failed: 0 }] }),
    errors: {
      conflict: { input: (_, { id }) => ({ params: { id }, body: { version: 2 } }) },
      remindNobody: {
        // an agreement that no domain asks for
        input: async () => ({ params: { id: (await requiredAgreement([])).id }, body: { version: 1 } }),
      },
      runRunning: {
        input: async (caller) => {
          const { id } = await begun(caller)
          return { params: { id }, body: { version: 1 } }
        },
      },
      tooManyAttempts: {
        input: async (caller, { id }) => {
          const origin = { host: '', locale: 'ru', ip: '', requestId: randomUUID() }
          const counted = { total: 200_000, done: 200_000, failed: 0, state: 'done' as const }
          const userId = await idOf(caller)
          await db()
            .insert(runs)
            .values({ kind: 'document-reminders', userId, options: origin, ...counted })
          return { params: { id }, body: { version: 1 } }
        },
      },
    },
  }),
  proof(calls.listReminderRuns, {
    prepare: begun,
    input: () => ({}),
    shows: ({ run }) => ({ runs: [{ id: run, state: 'running', done: 0 }] }),
  }),
  proof(calls.readReminderRun, {
    prepare: begun,
    input: params,
    shows: ({ run }) => ({ run: { id: run, state: 'running' }, faults: [] }),
  }),
  proof(calls.stopReminderRun, {
    unrecorded: noHistory,
    prepare: begun,
    input: params,
    look: state,
    shows: () => ({ state: 'stopped' }),
    errors: { runOver: over },
  }),
  proof(calls.resumeReminderRun, {
    unrecorded: noHistory,
    prepare: stopped,
    input: params,
    look: state,
    shows: () => ({ state: 'running' }),
    errors: {
      runOver: over,
      runRunning: {
        input: async (caller) => {
          const first = await stopped(caller)
          await caller.call(calls.startReminders, { params: { id: first.id }, body: { version: 1 } })
          return params(first)
        },
      },
    },
  }),
  proof(calls.readReminderRunFaults, {
    prepare: async (caller) => {
      const given = await begun(caller)
      await db().update(runRows).set({ state: 'failed', fault: 'errorUnknown' }).where(eq(runRows.runId, given.run))
      return given
    },
    input: params,
    shows: ({ person }) => ({ file: expect.stringContaining(`1;${person.fio};`) }),
  }),
]
