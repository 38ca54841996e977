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
import { cellsWithoutSecrets, encryptCells } from './cells'
import type { ShownChange } from './change'
import { type CheckedRow, checkRows } from './check'
import type * as calls from './contract'
import { type Options, StoredOptions } from './import-rows'
import { missingFieldCode } from './offered'
import {
  exportedTargets,
  missingFields,
  type Plan,
  planOf,
  slashedColumns,
  suggestedChoices,
  suggestedColumns,
  targetsOf,
} from './plan'

/** How many files a caller may have read in an hour, and how many rows they may import in a day. */
const fileLimit = [{ points: 120, duration: 3_600 }]
const maxRowsPerDay = 500_000
const maxShownFaults = 1_000
const sampleCount = 3

/** A large file fills memory while it is read, so a process reads one at a time. */
const limitReading = createConcurrencyLimit(() => 1, 8)

/** Returns the imports of the caller, a person or a client. Throws 401, and 403 without the method. */
function importsOfCaller(ctx: Ctx, method: 'users.read' | 'users.write'): StarterScope {
  requireMethod(ctx, method)
  const { user, service } = ctx
  return user ? { kind: 'users', userId: user.id } : { kind: 'users', clientId: service.clientId }
}
const writableImports = (ctx: Ctx) => importsOfCaller(ctx, 'users.write')
/** Returns the same for reading, which needs only users.read. */
const readableImports = (ctx: Ctx) => importsOfCaller(ctx, 'users.read')

/** Returns the plan of the caller's last import; one that this version can't read counts as none. */
async function lastPlan(scope: StarterScope): Promise<Plan | null> {
  const options = await selectLastOptions(scope)
  const { success, data } = StoredOptions.safeParse(options)
  return success ? data.plan : null
}

type TableInput = { file: UploadedFile } & TableOptions

async function tableOf(ctx: Ctx, { file, encoding, sheet }: TableInput) {
  await takePoints({ name: 'user-import', key: callerId(ctx), tiers: fileLimit })
  return faultOfFile('file', async () => readTable(await file.bytes(), { encoding, sheet }))
}

/**
 * Returns the columns of a file, with what each seems to hold. Needs users.write. Throws 400 for a file that can't be
 * read.
 */
export async function readImportColumns(ctx: Ctx, { body }: ServiceInput<typeof calls.readImportColumns>) {
  const scope = writableImports(ctx)
  const [fields, tables, last] = await Promise.all([tableFields(ctx), tablesIn(ctx), lastPlan(scope)])
  return limitReading(async () => {
    const { source, head, rows } = await tableOf(ctx, body)
    const suggested = suggestedColumns(head, { fields, tables, last })
    const isExported = exportedTargets(head, tables) !== null
    const slashed = await slashedColumns(rows)
    return {
      source,
      rows: rows.length,
      columns: head.map((name, index) => ({
        name,
        doubled: name !== '' && head.indexOf(name) !== head.lastIndexOf(name),
        samples: rows.slice(0, sampleCount).map(({ cells }) => (cells[index] ?? '').slice(0, 100)),
        target: suggested[index]?.target ?? null,
        doubt: suggested[index]?.doubt ?? false,
        slashes: slashed.has(index),
      })),
      targets: targetsOf(fields),
      kept: last ? { by: last.by, mode: last.mode, sendLinks: last.sendLinks } : null,
      choices: suggestedChoices(rows, suggested, { isExported, last }),
    }
  })
}

type Input = ServiceInput<typeof calls.checkUserImport>
type FaultyRow = calls.ImportPreview['faults'][number]

/** Reads a file and begins to check its rows. Throws 400 by field for a file or a plan that can't be taken, and 429. */
async function checkFile(ctx: Ctx, { body }: Input) {
  const fields = await tableFields(ctx)
  const { head, rows } = await tableOf(ctx, body)
  const plan = planOf(head, await slashedColumns(rows), fields, body)
  return { plan, fields, rows: checkRows(ctx, plan, fields, rows) }
}

/** Returns what a file of accounts would do, row by row. Stores nothing. Needs users.write. */
export async function checkUserImport(ctx: Ctx, input: Input) {
  requireMethod(ctx, 'users.write')
  return limitReading(async () => {
    const { plan, fields, rows } = await checkFile(ctx, input)
    const counts = {
      ...{ total: 0, good: 0, create: 0, update: 0, same: 0, links: 0 },
      ...{ passwords: 0, passwordsLeft: 0, apps: 0, appsLeft: 0 },
    }
    const changingRows: { row: number; title: string; create: boolean; changes: ShownChange[] }[] = []
    // of each kind no more rows than are shown, so that a large file takes no more memory
    const [wrongRows, rowsMissingFields]: [FaultyRow[], FaultyRow[]] = [[], []]
    let missingFieldCount = 0
    for await (const checked of rows) {
      counts.total++
      const { row, title, cells } = checked
      if (checked.fault) {
        const isMissingField = checked.fault.code === missingFieldCode
        if (isMissingField) missingFieldCount++
        const list = isMissingField ? rowsMissingFields : wrongRows
        if (list.length < maxShownFaults)
          list.push({ row, title, ...checked.fault, cells: cellsWithoutSecrets(plan, cells) })
        continue
      }
      const { create, same, link, password, app, changes } = checked
      counts.good++
      counts[create ? 'create' : same ? 'same' : 'update']++
      if (link) counts.links++
      if (password) counts[password === 'taken' ? 'passwords' : 'passwordsLeft']++
      if (app) counts[app === 'taken' ? 'apps' : 'appsLeft']++
      if (changes.length > 0) changingRows.push({ row, title, create, changes })
    }
    return {
      ...counts,
      rows: changingRows,
      unused: plan.head.filter((name, index) => name !== '' && !plan.columns[index]),
      lacking: { titles: missingFields(plan, fields).map(({ title }) => title), rows: missingFieldCount },
      faults: [...wrongRows, ...rowsMissingFields].slice(0, maxShownFaults),
      head: plan.head,
    }
  })
}

/** Returns where the batch job was started, and, for a client, the client with its token. */
function batchStart(ctx: Ctx): Pick<Options, 'origin' | 'client'> {
  const client = batchClientOf(ctx)
  return { origin: runOrigin(ctx), ...(client ? { client } : {}) }
}

const storedRow =
  (plan: Plan, runId: string) =>
  ({ row, title, cells, ...result }: CheckedRow): NewRow =>
    result.fault
      ? { row, title, input: { cells: cellsWithoutSecrets(plan, cells) }, fault: result.fault }
      : { row, title, input: { ...encryptCells(plan, cells, runId, row), ...result.given } }

/**
 * Starts a batch job that writes the accounts of a file. Returns its id. Needs users.write. Throws as the check does,
 * 400 userImportNothing if no row can be written, and 409 runRunning while another file of the caller is written
 * (docs/rules/people.md#import-of-accounts).
 */
export async function startUserImport(ctx: Ctx, input: ServiceInput<typeof calls.startUserImport>) {
  const scope = writableImports(ctx)
  return limitReading(async () => {
    const { plan, rows } = await checkFile(ctx, input)
    const id = randomUUID()
    const toStored = storedRow(plan, id)
    const storedRows: NewRow[] = []
    for await (const row of rows) storedRows.push(toStored(row))
    if (storedRows.every(({ fault }) => fault)) throw fieldError('file', 'userImportNothing')
    const options: Options = { plan, ...batchStart(ctx) }
    const start = { id, options, rows: storedRows, now: ctx.now(), atMost: { rows: maxRowsPerDay } }
    return { id: await db().transaction((tx) => startBatchJob(tx, scope, start)) }
  })
}

/** Returns the newest imports of the caller. */
export const listUserImports = async (ctx: Ctx) => ({ runs: await listBatchJobs(readableImports(ctx)) })

type ById = ServiceInput<typeof calls.readUserImport>

/** Returns an import of the caller. Throws 404. */
export const readUserImport = async (ctx: Ctx, { params: { id } }: ById) => readBatchJob(readableImports(ctx), id)

/** Stops an import of the caller. Needs users.write. Throws 404 and 409 runOver. */
export const stopUserImport = async (ctx: Ctx, { params: { id } }: ById) => stopBatchJob(writableImports(ctx), id)

/**
 * Resumes an import of the caller; that of a client with the token of this call. Needs users.write. Throws 404, 409
 * runOver and 409 runRunning.
 */
export const resumeUserImport = async (ctx: Ctx, { params: { id } }: ById) =>
  resumeBatchJob(writableImports(ctx), id, batchClientOf(ctx) ? batchStart(ctx) : {})

/** Returns the rows of an import that were not written, as they were in the file, with the reason. Throws 404. */
export async function readUserImportFaults(ctx: Ctx, { params: { id } }: ById): Promise<GivenFile> {
  const scope = readableImports(ctx)
  const { plan } = StoredOptions.parse(await batchOptions(scope, id))
  const errorText = await errorWords(ctx.locale, 'user-import', 'users', 'administration', 'dynamic-fields')
  const t = await textsIn(ctx.locale)
  async function* chunks() {
    yield csvBeginning + csvOf([[...plan.head, t('user-import.wrongHead.row'), t('user-import.wrongHead.error')]])
    for await (const { row, title, input, fault, params } of eachFault(scope, id)) {
      const { cells: stored } = input as { cells?: string[] }
      const cells = stored ? cellsWithoutSecrets(plan, stored) : [title]
      const { column, ...values } = params ?? {}
      const reason = errorText(fault ?? 'errorUnknown', values)
      yield csvOf([
        [...plan.head.map((_, index) => cells[index] ?? ''), String(row), column ? `${column}: ${reason}` : reason],
      ])
    }
  }
  return { name: 'users-not-imported.csv', type: 'text/csv', chunks: chunks() }
}
