import { randomUUID } from 'node:crypto'
import { db } from '@/db/client'
import { tableFields, tablesIn } from '@/lib/accounts/user-table/columns'
import {
  batchOptions,
  eachFault,
  listBatchJobs,
  type NewRow,
  readBatchJob,
  resumeBatchJob,
  startBatchJob,
  stopBatchJob,
} from '@/lib/base/batch-jobs/batch-jobs'
import { batchClientOf } from '@/lib/base/batch-jobs/client'
import { type StarterScope, selectLastOptions } from '@/lib/base/batch-jobs/store'
import { callerId, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { GivenFile, UploadedFile } from '@/lib/base/contracts/file'
import { errorWords } from '@/lib/base/i18n/error-words'
import { textsIn } from '@/lib/base/i18n/texts-in'
import { takePoints } from '@/lib/base/limits/limits'
import { createConcurrencyLimit } from '@/lib/base/runtime/concurrency-limit'
import { fieldError } from '@/lib/base/runtime/errors'
import { csvBeginning, csvOf } from '@/lib/base/tables/csv'
import type { TableOptions } from '@/lib/base/tables/rows'
import { faultOfFile, readTable } from '@/lib/base/tables/table'
import { runOrigin } from '@/lib/site/domains/run-context'
import { sealCells, shownCells } from './cells'
import { type CheckedRow, checkRows } from './check'
import type * as calls from './contract'
import { type Options, StoredOptions } from './import-rows'
import { lackingCode } from './offered'
import {
  exportedTargets,
  lackingIn,
  type Plan,
  planOf,
  slashed,
  suggestedChoices,
  suggestedColumns,
  targetsOf,
} from './plan'

/** How many files a caller may have read, and how many rows they may import in a day. */
const files = [{ points: 120, duration: 3_600 }]
const mostInDay = 500_000
const shownFaults = 1_000
const samples = 3

/** A large file fills memory while it is read, so a process reads one at a time. */
const reading = createConcurrencyLimit(() => 1, 8)

/** Returns the imports of the caller, a person or a client. Throws 401, and 403 without the method. */
function scopeBy(ctx: Ctx, method: 'users.read' | 'users.write'): StarterScope {
  requireMethod(ctx, method)
  const { user, service } = ctx
  return user ? { kind: 'users', userId: user.id } : { kind: 'users', clientId: service.clientId }
}
const scopeOf = (ctx: Ctx) => scopeBy(ctx, 'users.write')
/** Reading needs users.read; what the caller has started needed more. */
const ownScope = (ctx: Ctx) => scopeBy(ctx, 'users.read')

/** Returns the plan of the caller's last import; one that this version can't read counts as none. */
async function lastPlan(scope: StarterScope): Promise<Plan | null> {
  const options = await selectLastOptions(scope)
  const { success, data } = StoredOptions.safeParse(options)
  return success ? data.plan : null
}

type Given = { file: UploadedFile } & TableOptions

async function tableOf(ctx: Ctx, { file, encoding, sheet }: Given) {
  await takePoints({ name: 'user-import', key: callerId(ctx), tiers: files })
  return faultOfFile('file', async () => readTable(await file.bytes(), { encoding, sheet }))
}

/** Returns the columns of a file, with what each seems to hold. Needs users.write. Throws 400 for a file that can't be read. */
export async function readImportColumns(ctx: Ctx, { body }: ServiceInput<typeof calls.readImportColumns>) {
  const scope = scopeOf(ctx)
  const [fields, tables, last] = await Promise.all([tableFields(ctx), tablesIn(ctx), lastPlan(scope)])
  return reading(async () => {
    const { source, head, rows } = await tableOf(ctx, body)
    const suggested = suggestedColumns(head, { fields, tables, last })
    const isExported = exportedTargets(head, tables) !== null
    return {
      source,
      rows: rows.length,
      columns: head.map((name, at) => ({
        name,
        doubled: name !== '' && head.indexOf(name) !== head.lastIndexOf(name),
        samples: rows.slice(0, samples).map(({ cells }) => (cells[at] ?? '').slice(0, 100)),
        target: suggested[at]?.target ?? null,
        doubt: suggested[at]?.doubt ?? false,
        slashes: rows.some(({ cells }) => slashed.test(cells[at] ?? '')),
      })),
      targets: targetsOf(fields),
      kept: last ? { by: last.by, mode: last.mode, sendLinks: last.sendLinks } : null,
      choices: suggestedChoices(rows, suggested, { isExported, last }),
    }
  })
}

type Input = ServiceInput<typeof calls.checkUserImport>

/** Reads and checks a file. Throws 400 by field for a file or a plan that can't be taken, and 429. */
async function checked(ctx: Ctx, { body }: Input) {
  const fields = await tableFields(ctx)
  const { head, rows } = await tableOf(ctx, body)
  const plan = planOf(head, rows, fields, body)
  return { plan, fields, rows: await checkRows(ctx, plan, fields, rows) }
}

/** Returns what a file of accounts would do, row by row. Stores nothing. Needs users.write. */
export async function checkUserImport(ctx: Ctx, input: Input) {
  requireMethod(ctx, 'users.write')
  return reading(async () => {
    const { plan, fields, rows } = await checked(ctx, input)
    const good = rows.flatMap((row) => (row.fault ? [] : [row]))
    const wrong = rows.flatMap((row) => (row.fault ? [row] : []))
    const isLacking = ({ fault }: { fault: { code: string } }) => fault.code === lackingCode
    const lacking = wrong.filter(isLacking)
    const create = good.filter((row) => row.create).length
    const same = good.filter((row) => row.same).length
    const changing = good.filter(({ changes }) => changes.length > 0)
    return {
      total: rows.length,
      good: good.length,
      create,
      update: good.length - create - same,
      same,
      links: good.filter(({ link }) => link).length,
      passwords: good.filter(({ password }) => password === 'taken').length,
      passwordsLeft: good.filter(({ password }) => password === 'left').length,
      rows: changing.map(({ row, title, create: isNew, changes }) => ({ row, title, create: isNew, changes })),
      unused: plan.head.filter((name, at) => name !== '' && !plan.columns[at]),
      lacking: { titles: lackingIn(plan, fields).map(({ title }) => title), rows: lacking.length },
      faults: [...wrong.filter((row) => !isLacking(row)), ...lacking]
        .slice(0, shownFaults)
        .map(({ row, title, fault, cells }) => ({ row, title, ...fault, cells: shownCells(plan, cells) })),
      head: plan.head,
    }
  })
}

/** From where a run goes on, and for a client with which token. */
function startOf(ctx: Ctx): Pick<Options, 'origin' | 'client'> {
  const client = batchClientOf(ctx)
  return { origin: runOrigin(ctx), ...(client ? { client } : {}) }
}

const storedRow =
  (plan: Plan, runId: string) =>
  ({ row, title, cells, ...rest }: CheckedRow): NewRow =>
    rest.fault
      ? { row, title, input: { cells: shownCells(plan, cells) }, fault: rest.fault }
      : { row, title, input: { ...sealCells(plan, cells, runId, row), ...rest.given } }

/**
 * Starts a run that writes the accounts of a file. Returns its id. Needs users.write. Throws as the check does, 400
 * userImportNothing if no row can be written, and 409 runRunning while another file of the caller is written
 * (docs/rules/people.md#import-of-accounts).
 */
export async function startUserImport(ctx: Ctx, input: ServiceInput<typeof calls.startUserImport>) {
  const scope = scopeOf(ctx)
  return reading(async () => {
    const { plan, rows } = await checked(ctx, input)
    if (rows.every(({ fault }) => fault)) throw fieldError('file', 'userImportNothing')
    const options: Options = { plan, ...startOf(ctx) }
    const id = randomUUID()
    const start = { id, options, rows: rows.map(storedRow(plan, id)), now: ctx.now(), atMost: { rows: mostInDay } }
    return { id: await db().transaction((tx) => startBatchJob(tx, scope, start)) }
  })
}

/** Returns the newest imports of the caller. */
export const listUserImports = async (ctx: Ctx) => ({ runs: await listBatchJobs(ownScope(ctx)) })

type ById = ServiceInput<typeof calls.readUserImport>

/** Returns an import of the caller. Throws 404. */
export const readUserImport = async (ctx: Ctx, { params: { id } }: ById) => readBatchJob(ownScope(ctx), id)

/** Stops an import of the caller. Needs users.write. Throws 404 and 409 runOver. */
export const stopUserImport = async (ctx: Ctx, { params: { id } }: ById) => stopBatchJob(scopeOf(ctx), id)

/**
 * Lets an import of the caller go on; that of a client by the token of this call. Needs users.write. Throws 404, 409
 * runOver and 409 runRunning.
 */
export const resumeUserImport = async (ctx: Ctx, { params: { id } }: ById) =>
  resumeBatchJob(scopeOf(ctx), id, batchClientOf(ctx) ? startOf(ctx) : {})

/** Returns the rows of an import that were not written, as they were in the file, with the reason. Throws 404. */
export async function readUserImportFaults(ctx: Ctx, { params: { id } }: ById): Promise<GivenFile> {
  const scope = ownScope(ctx)
  const { plan } = StoredOptions.parse(await batchOptions(scope, id))
  const text = await errorWords(ctx.locale, 'user-import', 'users', 'administration', 'dynamic-fields')
  const t = await textsIn(ctx.locale)
  async function* chunks() {
    yield csvBeginning + csvOf([[...plan.head, t('user-import.wrongHead.row'), t('user-import.wrongHead.error')]])
    for await (const { row, title, input, fault, params } of eachFault(scope, id)) {
      const { cells: stored } = input as { cells?: string[] }
      const cells = stored ? shownCells(plan, stored) : [title]
      const { column, ...values } = params ?? {}
      const why = text(fault ?? 'errorUnknown', values)
      yield csvOf([[...plan.head.map((_, at) => cells[at] ?? ''), String(row), column ? `${column}: ${why}` : why]])
    }
  }
  return { name: 'users-not-imported.csv', type: 'text/csv', chunks: chunks() }
}
