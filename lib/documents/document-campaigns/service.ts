import { db } from '@/db/client'
import { auditEvent } from '@/lib/base/audit/audit'
import {
  eachFault,
  listBatchJobs,
  newestBatchJob,
  readBatchJob,
  resumeBatchJob,
  startBatchJob,
  stopBatchJob,
} from '@/lib/base/batch-jobs/batch-jobs'
import type { BatchScope } from '@/lib/base/batch-jobs/store'
import { callerId, requireMethod, requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { GivenFile } from '@/lib/base/contracts/file'
import { errorWords } from '@/lib/base/i18n/error-words'
import { textsIn } from '@/lib/base/i18n/texts-in'
import { AppError } from '@/lib/base/runtime/errors'
import { csvBeginning, csvOf } from '@/lib/base/tables/csv'
import { runOrigin } from '@/lib/site/domains/run-context'
import { documentEntity } from '../documents/entity'
import { campaignOf } from './asked'
import type * as calls from './contract'
import { countCampaign, countVersions, selectAcceptancePage, selectUnanswered } from './queries'

/** The largest number of people whom one person may remind in a day. */
const mostInDay = 200_000

const kind = 'document-reminders'
const iso = (date: Date | null) => date?.toISOString() ?? null

type Row = Awaited<ReturnType<typeof selectAcceptancePage>>['rows'][number]
const acceptanceOf = ({ date, remindedAt, ...row }: Row): calls.Acceptance => ({
  ...row,
  date: iso(date),
  remindedAt: iso(remindedAt),
})

/**
 * Returns one page of the people who answered an agreement or have to answer it
 * (docs/rules/agreements.md#who-has-agreed). Needs users.read. Throws 404.
 */
export async function listAcceptances(ctx: Ctx, { params: { id }, query }: ServiceInput<typeof calls.listAcceptances>) {
  requireMethod(ctx, 'users.read')
  const { asked: campaign } = await campaignOf(id)
  const reader = { caller: callerId(ctx), timeZone: ctx.timeZone, pageSize: ctx.user?.pagination ?? null }
  const { rows, meta } = await selectAcceptancePage(campaign, query, reader)
  return { acceptances: rows.map(acceptanceOf), meta }
}

/**
 * Returns whom an agreement concerns, and the numbers of answers to its current version. Needs libraries.read. Throws
 * 404.
 */
export async function readCampaign(
  ctx: Ctx,
  { params: { id } }: ServiceInput<typeof calls.readCampaign>,
): Promise<calls.Campaign> {
  requireMethod(ctx, 'libraries.read')
  const { document, domains, asked: campaign } = await campaignOf(id)
  const { version } = campaign
  const [counts, versions, jobId] = await Promise.all([
    countCampaign(campaign),
    countVersions(id),
    ctx.user ? newestBatchJob({ kind, userId: ctx.user.id }, { documentId: id, version }) : null,
  ])
  return {
    ...counts,
    version,
    since: (document.versionAt ?? document.createdAt).toISOString(),
    domains: domains.map((domain) => ({ id: domain.id, host: new URL(domain.origin).host })),
    remindedAt: iso(counts.remindedAt),
    versions,
    run: jobId,
  }
}

/** Requires a person who may change documents, as a batch job belongs to a person. Throws 401 and 403. */
function scopeOf(ctx: Ctx): BatchScope {
  requireMethod(ctx, 'libraries.write')
  requireUser(ctx)
  return { kind, userId: ctx.user.id }
}

/**
 * Starts a batch job that reminds people who still have to answer, each once per version unless `repeat`
 * (docs/rules/agreements.md#reminders). Returns its id and the number of people. Needs libraries.write and a person.
 * Throws 404, 409 if the version isn't the one that the caller saw, 409 remindNobody, 409 runRunning and 429.
 */
export async function startReminders(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.startReminders>) {
  const scope = scopeOf(ctx)
  const { version, repeat } = body
  return db().transaction(async (tx) => {
    const { asked: campaign } = await campaignOf(id, tx, true)
    if (campaign.version !== version) throw new AppError(409)
    const people = await selectUnanswered(tx, campaign, repeat, mostInDay)
    if (people.length === 0) throw new AppError(409, 'remindNobody')
    const jobId = await startBatchJob(tx, scope, {
      options: { ...runOrigin(ctx), documentId: id, version, repeat },
      rows: people.map(({ id: userId, name, login }, index) => ({
        row: index + 1,
        title: name || login,
        input: { userId },
      })),
      now: ctx.now(),
      atMost: { rows: mostInDay },
    })
    await auditEvent(tx, ctx, documentEntity, id, 'update', { reminded: people.length })
    return { id: jobId, count: people.length }
  })
}

type ById = ServiceInput<typeof calls.readReminderRun>

/** Returns the newest batch jobs of the caller. Needs libraries.read. */
export async function listReminderRuns(ctx: Ctx) {
  return { runs: await listBatchJobs(readScope(ctx)) }
}

/** Requires libraries.read: also a person who may no longer change documents sees the batch jobs that they started. */
function readScope(ctx: Ctx): BatchScope {
  requireMethod(ctx, 'libraries.read')
  requireUser(ctx)
  return { kind, userId: ctx.user.id }
}

/** Returns a batch job of the caller. Throws 404. */
export const readReminderRun = async (ctx: Ctx, { params: { id } }: ById) => readBatchJob(readScope(ctx), id)

/** Stops a batch job of the caller. Throws 404 and 409 runOver. */
export const stopReminderRun = async (ctx: Ctx, { params: { id } }: ById) => stopBatchJob(scopeOf(ctx), id)

/** Resumes a batch job of the caller. Throws 404, 409 runOver and 409 runRunning. */
export const resumeReminderRun = async (ctx: Ctx, { params: { id } }: ById) => resumeBatchJob(scopeOf(ctx), id)

/** Returns the people whom a batch job couldn't remind, with the reason. Throws 404. */
export async function readReminderRunFaults(ctx: Ctx, { params: { id } }: ById): Promise<GivenFile> {
  const scope = readScope(ctx)
  await readBatchJob(scope, id)
  const [text, t] = await Promise.all([errorWords(ctx.locale, 'document-campaigns'), textsIn(ctx.locale)])
  async function* chunks() {
    yield csvBeginning + csvOf([[t('runs.head.row'), t('runs.head.person'), t('runs.head.error')]])
    for await (const { row, title, fault, params } of eachFault(scope, id))
      yield csvOf([[String(row), title, text(fault ?? 'errorUnknown', params ?? {})]])
  }
  return { name: 'not-reminded.csv', type: 'text/csv', chunks: chunks() }
}
