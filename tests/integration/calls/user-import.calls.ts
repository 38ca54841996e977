import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { runs } from '@/db/schema'
import * as calls from '@/lib/account-administration/user-import/contract'
import { signedInWith } from '../../factories/access'
import { idOf } from '../../factories/access-requests'
import { Caller } from '../../factories/caller'
import { proof } from '../../factories/proofs'
import { importOf } from '../../factories/user-import'
import { bloated, workbook } from '../../factories/workbook'

const targets = ['field.login', 'field.fio', 'field.email']
const login = () => `import-${randomUUID().slice(0, 13)}`

const personOf = (name: string) => [name, 'Вера Орлова', `${name}@polaris.example`]

/** A file with a good and a wrong row; the caller has no earlier import. */
async function handedIn(caller: Caller) {
  await db()
    .delete(runs)
    .where(eq(runs.userId, await idOf(caller)))
  const [good, wrong] = [login(), login()]
  const rows = [personOf(good), [wrong, 'Нет', 'nobody@']]
  return { good, wrong, body: importOf(targets, rows) }
}
type HandedIn = Awaited<ReturnType<typeof handedIn>>

async function begun(caller: Caller) {
  const given = await handedIn(caller)
  return { ...given, ...(await caller.call(calls.startUserImport, { body: given.body })) }
}
type Begun = Awaited<ReturnType<typeof begun>>

async function stopped(caller: Caller) {
  const given = await begun(caller)
  await caller.call(calls.stopUserImport, { params: { id: given.id } })
  return given
}

const params = ({ id }: Begun) => ({ params: { id } })
const state = async (caller: Caller, { id }: Begun) => (await caller.call(calls.readUserImport, { params: { id } })).run
const over = {
  input: async (caller: Caller) => {
    const given = await begun(caller)
    await db().update(runs).set({ state: 'done' }).where(eq(runs.id, given.id))
    return params(given)
  },
}
const noHistory = 'each account that it writes is recorded as its starter’s'

const withFile = (content: string | Uint8Array<ArrayBuffer>) => ({
  field: 'file',
  input: (_: Caller, { body }: HandedIn) => ({ body: { ...body, file: new File([content], 'users.csv') } }),
})
/** Somebody who has had as many files read as an hour allows. */
const tooManyAttempts = {
  by: async () => {
    const eager = new Caller((await signedInWith(['users.read', 'users.write'])).browser)
    for (let n = 0; n < 120; n++)
      await eager.send(calls.readImportColumns, { body: { file: new File(['x'], 'a.csv') } })
    return eager
  },
  input: (_: Caller, { body }: HandedIn) => ({ body }),
}
const fileFaults = {
  tableFormat: withFile('a\0b'),
  tableQuotes: withFile('login\n"a'),
  tableEmpty: withFile('login'),
  tableTooMany: withFile(`login\n${'a\n'.repeat(100_001)}`),
  tableTooWide: withFile(Array(201).fill('x').join(';')),
  tableTooLong: withFile(new Uint8Array(bloated())),
  tableSheet: {
    field: 'file',
    input: (_: Caller, { body }: HandedIn) => ({
      body: { ...body, file: new File([new Uint8Array(workbook(''))], 'users.xlsx'), sheet: 2 },
    }),
  },
}
const change = (field: string, changed: Partial<HandedIn['body']>) => ({
  field,
  input: (_caller: Caller, { body }: HandedIn) => ({ body: { ...body, ...changed } }),
})
const planFaults = {
  userImportColumns: change('columns', { columns: '["field.nothing"]' }),
  userImportTwice: change('columns', { columns: '["field.login","field.login"]' }),
  userImportNames: change('columns', { columns: '["field.login","field.fio","field.lastName"]' }),
  userImportDayOrder: {
    field: 'columns',
    input: () => ({ body: importOf(['field.login', 'field.birthDate'], [[login(), '04/01/1981']]) }),
  },
  userImportKey: change('by', { by: 'externalId' }),
}

export default [
  proof(calls.readImportColumns, {
    reads: true,
    prepare: handedIn,
    input: ({ body: { file } }) => ({ body: { file } }),
    shows: ({ good, wrong }) => ({
      source: { kind: 'csv', encoding: 'utf-8', separator: ';' },
      rows: 2,
      columns: targets.map((target, at) => (at === 0 ? { target, samples: [good, wrong] } : { target })),
    }),
    errors: {
      ...Object.fromEntries(
        Object.entries(fileFaults).map(([code, { field, input }]) => [
          code,
          {
            field,
            input: (caller: Caller, given: HandedIn) => {
              const { file, sheet } = { sheet: undefined, ...input(caller, given).body }
              return { body: { file, ...(sheet ? { sheet } : {}) } }
            },
          },
        ]),
      ),
      tooManyAttempts: {
        by: tooManyAttempts.by,
        input: (_: Caller, { body: { file } }: HandedIn) => ({ body: { file } }),
      },
    },
  }),
  proof(calls.checkUserImport, {
    reads: true,
    prepare: handedIn,
    input: ({ body }) => ({ body }),
    shows: ({ good }) => ({
      total: 2,
      good: 1,
      create: 1,
      update: 0,
      same: 0,
      rows: [{ row: 2, title: good, changes: targets.map((column) => ({ column, before: '' })) }],
      unused: [],
      lacking: { titles: [], rows: 0 },
      faults: [{ row: 3, code: 'errorEmail', params: { column: 'field.email' } }],
      head: targets,
    }),
    errors: { ...fileFaults, ...planFaults, tooManyAttempts },
  }),
  proof(calls.startUserImport, {
    unrecorded: noHistory,
    prepare: handedIn,
    input: ({ body }) => ({ body }),
    look: async (caller) => caller.call(calls.listUserImports),
    shows: () => ({ runs: [{ state: 'running', total: 2, done: 0, failed: 1 }] }),
    errors: {
      ...fileFaults,
      ...planFaults,
      tooManyAttempts,
      userImportNothing: {
        field: 'file',
        input: (_caller, { body }) => ({ body: { ...body, ...importOf(targets, [['', 'Вера', '']]) } }),
      },
      runRunning: {
        input: async (caller) => {
          await begun(caller)
          return { body: importOf(targets, [personOf(login())]) }
        },
      },
    },
  }),
  proof(calls.listUserImports, {
    prepare: begun,
    input: () => ({}),
    shows: ({ id }) => ({ runs: [{ id, state: 'running', total: 2, failed: 1 }] }),
  }),
  proof(calls.readUserImport, {
    prepare: begun,
    input: params,
    shows: ({ id, wrong }) => ({
      run: { id, total: 2, failed: 1 },
      faults: [{ row: 3, title: wrong, code: 'errorEmail' }],
    }),
  }),
  proof(calls.stopUserImport, {
    unrecorded: noHistory,
    prepare: begun,
    input: params,
    look: state,
    shows: () => ({ state: 'stopped', fault: null }),
    errors: { runOver: over },
  }),
  proof(calls.resumeUserImport, {
    unrecorded: noHistory,
    prepare: stopped,
    input: params,
    look: state,
    shows: () => ({ state: 'running' }),
    errors: {
      runOver: over,
      runRunning: {
        input: async (caller) => {
          const waiting = await stopped(caller)
          await caller.call(calls.startUserImport, { body: importOf(targets, [personOf(login())]) })
          return params(waiting)
        },
      },
    },
  }),
  proof(calls.readUserImportFaults, {
    prepare: begun,
    input: params,
    shows: ({ wrong }) => ({ file: expect.stringContaining(`${wrong};Нет;nobody@;3;`) }),
  }),
]
