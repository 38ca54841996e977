import { db } from '@/db/client'
import {
  eachFault,
  listBatchJobs,
  type NewRow,
  readBatchJob,
  resumeBatchJob,
  startBatchJob,
  stopBatchJob,
} from '@/lib/base/batch-jobs/batch-jobs'
import type { PersonScope } from '@/lib/base/batch-jobs/store'
import { requireMethod, requireUser } from '@/lib/base/context/access'
import type { Ctx, CtxUser } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { GivenFile } from '@/lib/base/contracts/file'
import { errorWords } from '@/lib/base/i18n/error-words'
import { textsIn } from '@/lib/base/i18n/texts-in'
import { takePoints } from '@/lib/base/limits/limits'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { csvBeginning, csvOf } from '@/lib/base/tables/csv'
import { assignableRoles, requireManagerOf } from '@/lib/companies/managers/service'
import { runOrigin } from '@/lib/site/domains/run-context'
import { type CheckedRow, checkRows, previewOf } from './check'
import type * as calls from './contract'
import { columns, type ParsedRow, parseInvitations } from './parse'

/** How many files a person may check in an hour, and how many invitations they may send from files in a day. */
const checks = [{ points: 60, duration: 3_600 }]
const mostInDay = 20_000
/** How many rows a preview shows: rows that would be sent, and rows with a fault. */
const previewedInvitations = 20
const previewedFaults = 500

type Input = ServiceInput<typeof calls.checkInvitationImport>

/** Returns the caller, who must be a person with masterAccountAccess. Throws 401 and 403. */
function manager(ctx: Ctx): CtxUser {
  requireUser(ctx)
  requireMethod(ctx, 'masterAccountAccess')
  if (!ctx.user) throw new AppError(401)
  return ctx.user
}

const scopeOf = (ctx: Ctx): PersonScope => ({ kind: 'invitations', userId: manager(ctx).id })

/**
 * Reads and checks a file. Throws 400 for a file that can't be read; 400, 403 or 404 for chosen access that the person
 * can't give, as for a single invitation; and 429.
 */
async function checkFile(ctx: Ctx, { body: { text, contractorId, access } }: Input) {
  const { id } = manager(ctx)
  await takePoints({ name: 'invitation-import', key: id, tiers: checks })
  const parsed = parseInvitations(text)
  if ('fault' in parsed) {
    const { fault, ...params } = parsed
    throw fieldError('text', fault, params)
  }
  if (contractorId) {
    await requireManagerOf(ctx, contractorId)
    if (access) await assignableRoles(db(), id, contractorId, access)
  }
  const rows = await checkRows(id, parsed.rows, { contractorId, access }, ctx.now())
  return { rows, ignored: parsed.ignored }
}

/** Returns the preview of a file of invitations, row by row. Stores and sends nothing. */
export async function checkInvitationImport(ctx: Ctx, input: Input) {
  const { rows, ignored } = await checkFile(ctx, input)
  const sendable = rows.flatMap(({ row, ...fields }) => (fields.fault ? [] : [{ row, ...fields.invitation }]))
  return {
    total: rows.length,
    good: sendable.length,
    ignored,
    invitations: sendable
      .slice(0, previewedInvitations)
      .map(({ row, ...invitation }) => ({ row, ...previewOf(invitation, ctx.locale) })),
    faults: rows
      .flatMap(({ row, cells: { email }, fault }) => (fault ? [{ row, email, ...fault }] : []))
      .slice(0, previewedFaults),
  }
}

/**
 * Returns a row as the batch job stores it, with its original cells, so that the file of faults can be corrected and
 * sent again.
 */
function storedRow({ row, cells, ...fields }: CheckedRow): NewRow {
  if (fields.fault) return { row, title: cells.email, input: { cells }, fault: fields.fault }
  const { email, contractor, access } = fields.invitation
  return {
    row,
    title: email,
    input: {
      cells,
      email,
      contractorId: contractor.id,
      access: access.map(({ place, roles }) => ({ organizationId: place.id, roles: roles.map(({ id }) => id) })),
    },
  }
}

/**
 * Starts a batch job that sends the invitations of a file. Returns its id. Throws as `checkInvitationImport` does, 400
 * importNothing if no row can be sent, and 409 runRunning while another file of the person is sent.
 */
export async function startInvitationImport(ctx: Ctx, input: ServiceInput<typeof calls.startInvitationImport>) {
  const { rows } = await checkFile(ctx, input)
  if (rows.every(({ fault }) => fault)) throw fieldError('text', 'importNothing')
  const start = { options: runOrigin(ctx), rows: rows.map(storedRow), now: ctx.now(), atMost: { rows: mostInDay } }
  return { id: await db().transaction((tx) => startBatchJob(tx, scopeOf(ctx), start)) }
}

/** Returns the newest batch jobs of the caller. */
export const listInvitationImports = async (ctx: Ctx) => ({ runs: await listBatchJobs(scopeOf(ctx)) })

type ById = ServiceInput<typeof calls.readInvitationImport>

/** Returns a batch job of the caller. Throws 404. */
export const readInvitationImport = async (ctx: Ctx, { params: { id } }: ById) => readBatchJob(scopeOf(ctx), id)

/** Stops a batch job of the caller. Throws 404 and 409 runOver. */
export const stopInvitationImport = async (ctx: Ctx, { params: { id } }: ById) => stopBatchJob(scopeOf(ctx), id)

/** Resumes a batch job of the caller. Throws 404, 409 runOver and 409 runRunning. */
export const resumeInvitationImport = async (ctx: Ctx, { params: { id } }: ById) => resumeBatchJob(scopeOf(ctx), id)

/** Returns the rows of a batch job that were not sent, with their original cells and the reason. Throws 404. */
export async function readInvitationImportFaults(ctx: Ctx, { params: { id } }: ById): Promise<GivenFile> {
  const scope = scopeOf(ctx)
  await readBatchJob(scope, id)
  const text = await errorWords(ctx.locale, 'invitation-import')
  const t = await textsIn(ctx.locale)
  async function* chunks() {
    yield csvBeginning +
      csvOf([(['row', ...columns, 'error'] as const).map((name) => t(`invitation-import.columns.${name}`))])
    for await (const { row, title, input, fault, params } of eachFault(scope, id)) {
      const { cells = { email: title } } = input as { cells?: Partial<ParsedRow['cells']> }
      const reason = text(fault ?? 'errorUnknown', params ?? {})
      yield csvOf([[String(row), ...columns.map((column) => cells[column] ?? ''), reason]])
    }
  }
  return { name: 'invitations-not-sent.csv', type: 'text/csv', chunks: chunks() }
}
