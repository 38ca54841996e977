import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { runs } from '@/db/schema'
import * as calls from '@/lib/joining/invitation-import/contract'
import { idOf, makeManager, manager } from '../../factories/access-requests'
import type { Caller } from '../../factories/caller'
import { createContractor, createContractorRole, newEmail } from '../../factories/companies'
import { proof } from '../../factories/proofs'

/** A contractor that the caller manages, and a list with a good and a wrong row. */
async function listed(caller: Caller) {
  await db()
    .delete(runs)
    .where(eq(runs.userId, await idOf(caller)))
  const company = await createContractor()
  await makeManager(caller, company)
  const role = await createContractorRole()
  const access = [{ organizationId: company.organization.id, roles: [role.id] }]
  const wrong = `wrong-${randomUUID()}@`
  const given = { contractorId: company.contractor.id, access }
  return { ...company, role, wrong, body: { text: `email\n${newEmail()}\n${wrong}`, ...given } }
}
type Listed = Awaited<ReturnType<typeof listed>>

/** The same, begun. */
async function begun(caller: Caller) {
  const given = await listed(caller)
  return { ...given, ...(await caller.call(calls.startInvitationImport, { body: given.body })) }
}
type Begun = Awaited<ReturnType<typeof begun>>

async function stopped(caller: Caller) {
  const given = await begun(caller)
  await caller.call(calls.stopInvitationImport, { params: { id: given.id } })
  return given
}

const params = ({ id }: Begun) => ({ params: { id } })
const state = async (caller: Caller, { id }: Begun) =>
  (await caller.call(calls.readInvitationImport, { params: { id } })).run
const over = {
  input: async (caller: Caller) => {
    const given = await begun(caller)
    await db().update(runs).set({ state: 'done' }).where(eq(runs.id, given.id))
    return params(given)
  },
}
const noHistory = 'each invitation that it sends is recorded as its starter’s'

/** Inputs that the check and the start refuse alike. */
const refused = (change: (body: Listed['body']) => object) => ({
  input: (_: Caller, { body }: Listed) => ({ body: { ...body, ...change(body) } }),
})
const text = (value: string) => ({ field: 'text', ...refused(() => ({ text: value })) })

/** How the check and the start refuse a file or a choice. */
const unreadable = {
  importQuotes: text('email\n"'),
  importNoEmail: text('name'),
  importEmpty: text(''),
  importTooMany: text(Array.from({ length: 5_001 }, (_, at) => `a${at}@polaris.example`).join('\n')),
  errorOrganization: {
    field: 'access.0.organizationId',
    ...refused(({ access }) => ({ access: access.map((each) => ({ ...each, organizationId: randomUUID() })) })),
  },
  errorRole: {
    field: 'access.0.roles',
    ...refused(({ access }) => ({ access: access.map((each) => ({ ...each, roles: [randomUUID()] })) })),
  },
  forbiddenRole: {
    input: async (_: Caller, { body, organization }: Listed) => {
      const strong = await createContractorRole(['users.write'])
      return { body: { ...body, access: [{ organizationId: organization.id, roles: [strong.id] }] } }
    },
  },
  notFound: refused(() => ({ contractorId: randomUUID() })),
  tooManyAttempts: {
    by: async () => {
      const { caller: eager } = await manager(await createContractor())
      for (let n = 0; n < 60; n++) await eager.send(calls.checkInvitationImport, { body: { text: '' } })
      return eager
    },
    input: () => ({ body: { text: newEmail() } }),
  },
}

export default [
  proof(calls.checkInvitationImport, {
    reads: true,
    prepare: listed,
    input: ({ body }) => ({ body }),
    shows: ({ wrong }) => ({ total: 2, good: 1, faults: [{ row: 3, email: wrong, code: 'errorEmail' }] }),
    errors: unreadable,
  }),
  proof(calls.listInvitationImports, {
    prepare: begun,
    input: () => ({}),
    shows: ({ id }) => ({ runs: [{ id, state: 'running', total: 2, done: 0, failed: 1 }] }),
  }),
  proof(calls.startInvitationImport, {
    unrecorded: noHistory,
    prepare: listed,
    input: ({ body }) => ({ body }),
    look: (caller) => caller.call(calls.listInvitationImports),
    shows: () => ({ runs: [{ state: 'running', total: 2, done: 0, failed: 1 }] }),
    errors: {
      ...unreadable,
      importNothing: text('nobody@'),
      runRunning: {
        input: async (caller) => {
          const { body } = await begun(caller)
          return { body: { ...body, text: newEmail() } }
        },
      },
    },
  }),
  proof(calls.readInvitationImport, {
    prepare: begun,
    input: params,
    shows: ({ id, wrong }) => ({
      run: { id, state: 'running', total: 2 },
      faults: [{ row: 3, title: wrong, code: 'errorEmail' }],
    }),
  }),
  proof(calls.stopInvitationImport, {
    unrecorded: noHistory,
    prepare: begun,
    input: params,
    look: state,
    shows: () => ({ state: 'stopped' }),
    errors: { runOver: over },
  }),
  proof(calls.resumeInvitationImport, {
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
          await caller.call(calls.startInvitationImport, { body: { ...first.body, text: newEmail() } })
          return params(first)
        },
      },
    },
  }),
  proof(calls.readInvitationImportFaults, {
    prepare: begun,
    input: params,
    shows: ({ wrong }) => ({ file: expect.stringContaining(`3;${wrong};`) }),
  }),
]
