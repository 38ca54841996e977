import { db } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { requireVersion } from '@/lib/base/audit/conflict'
import { readBatchJob, resumeBatchJob, stopBatchJob } from '@/lib/base/batch-jobs/batch-jobs'
import { syncKind } from '@/lib/base/batch-jobs/kinds'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { GivenFile } from '@/lib/base/contracts/file'
import { errorWords } from '@/lib/base/i18n/error-words'
import { localName } from '@/lib/base/i18n/local-name'
import { textsIn } from '@/lib/base/i18n/texts-in'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { csvBeginning, csvOf } from '@/lib/base/tables/csv'
import { peopleFields } from '@/lib/fields/values/service'
import { startedBy } from '@/lib/site/domains/run-context'
import { platformSettings } from '@/lib/site/settings/service'
import { periodOf } from '../providers/details'
import { requireMayChangeProvider } from '../providers/who-may-change'
import type * as calls from './contract'
import { longestPeriod, shortestPeriod } from './contract'
import { providerSyncEntity } from './entity'
import { rolesCode, SyncOptions, SyncPerson, waitsForLosses } from './options'
import {
  dropGone,
  lockSync,
  selectActions,
  selectFaultyRows,
  selectNewest,
  selectRowPage,
  selectRunPage,
  selectSync,
  selectSyncRun,
  storeSync,
} from './queries'
import { startRefusalNow, startRefusedError, startSyncRun } from './start'

const [read, write] = ['providers.read', 'providers.write'] as const
const maxFaults = 100
/** How many rows of a file one query reads. */
const rowsAtOnce = 500

/** Returns seconds as a number of the largest unit that divides them. */
const asPeriod = (seconds: number) =>
  seconds % 86_400 === 0
    ? { periodUnit: seconds / 86_400, periodAmount: 'days' as const }
    : seconds % 3_600 === 0
      ? { periodUnit: seconds / 3_600, periodAmount: 'hours' as const }
      : { periodUnit: Math.round(seconds / 60), periodAmount: 'minutes' as const }

/** Returns the period that a synchronization gets when it is first enabled: the setting syncPeriod. */
export const suggestedPeriod = async () => asPeriod((await platformSettings()).syncPeriod)

/**
 * Starts a run by hand, which works with the rights of the caller. Returns its id. Needs providers.write and a person.
 * Throws 404, and 409 with the reason why it can't start (docs/rules/providers.md#start).
 */
export async function startProviderSync(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.startProviderSync>,
) {
  requireMethod(ctx, write)
  return db().transaction(async (tx) => {
    const locked = await lockSync(tx, { providerId: id })
    if (!locked) throw notFound()
    const refusal = await startRefusalNow(tx, locked, body.dry)
    if (refusal) throw startRefusedError(refusal)
    // a service account holds no roles of its own to compare with
    const actorId = ctx.user?.id ?? locked.sync.actorId
    if (ctx.user && !body.dry) await storeSync(tx, locked.sync.id, { actorId })
    return { id: await startSyncRun(tx, locked, { trigger: 'manual', dry: body.dry, actorId, ...startedBy(ctx) }) }
  })
}

type SyncValues = {
  enabled: boolean
  periodUnit: number
  periodAmount: 'minutes' | 'hours' | 'days'
  syncLimit: number
}
const recordedOf = ({ enabled, periodUnit, periodAmount, syncLimit }: SyncValues) => ({
  enabled,
  periodUnit,
  periodAmount,
  syncLimit,
})

/**
 * Enables or disables a synchronization and sets its period. The first enabling starts a run. Needs providers.write.
 * Throws 400 errorSyncPeriod for a period that is too short or too long, 404, 409 if somebody has saved it since, and
 * what `requireMayChangeProvider` throws.
 */
export async function updateProviderSync(
  ctx: Ctx,
  { params: { id, syncId }, body }: ServiceInput<typeof calls.updateProviderSync>,
) {
  requireMethod(ctx, write)
  const { updatedAt, periodUnit, ...settings } = body
  const suggested = periodUnit === undefined ? await suggestedPeriod() : null
  await changing('providers', async (tx) => {
    const locked = await lockSync(tx, { id: syncId })
    if (locked && locked.provider.id !== id) throw notFound()
    const before = await requireVersion(tx, ctx, providerSyncEntity, { id: syncId, row: locked?.sync, updatedAt })
    await requireMayChangeProvider(tx, ctx, id)
    const isFirst = settings.enabled && !before.enabled && !(await selectNewest(tx, syncId, false))
    const period =
      periodUnit === undefined
        ? isFirst && suggested
          ? suggested
          : { periodUnit: before.periodUnit, periodAmount: before.periodAmount }
        : { periodUnit, periodAmount: settings.periodAmount }
    const seconds = periodOf(period)
    if (seconds !== 0 && (seconds < shortestPeriod || seconds > longestPeriod))
      throw fieldError('periodUnit', 'errorSyncPeriod')
    if (settings.enabled && locked?.provider.type === 'oidc') throw fieldError('enabled', 'errorSyncOffered')
    const values = { ...settings, ...period }
    await audit(tx, ctx, providerSyncEntity, syncId, recordedOf(before), recordedOf(values))
    // a save resumes scheduled runs after a fault, even if no value differs
    await storeSync(tx, syncId, { ...values, ...(ctx.user ? { actorId: ctx.user.id } : {}) })
    const relocked = await lockSync(tx, { id: syncId })
    if (!relocked || !isFirst) return
    if ((await startRefusalNow(tx, relocked, false)) !== 'syncAwait') return
    await startSyncRun(tx, relocked, {
      trigger: 'first',
      dry: false,
      actorId: relocked.sync.actorId,
      ...startedBy(ctx),
    })
  })
  return {}
}

type BatchJob = Awaited<ReturnType<typeof readBatchJob>>['run']

async function countsOf(runIds: readonly string[]) {
  const noCounts = { created: 0, changed: 0, enabled: 0, disabled: 0, same: 0 }
  const byRun = new Map(runIds.map((id) => [id, { counts: { ...noCounts }, noted: 0 }]))
  for (const { runId, action, count, noted } of runIds.length > 0 ? await selectActions(runIds) : []) {
    const ofRun = byRun.get(runId)
    if (!ofRun) continue
    if (action && action in noCounts) ofRun.counts[action as keyof typeof noCounts] += count
    ofRun.noted += noted
  }
  return (id: string) => byRun.get(id) ?? { counts: noCounts, noted: 0 }
}

const runAnswer = (
  run: BatchJob,
  stored: unknown,
  { counts, noted }: ReturnType<Awaited<ReturnType<typeof countsOf>>>,
  titles: ReadonlyMap<string, string>,
): calls.SyncRun => {
  const options = SyncOptions.parse(stored)
  const { id, state, total, done, failed, fault, date, finishedAt, worked, left } = run
  const { phase, trigger, dry, starter, read: people, pages, off, known, gone } = options
  return {
    ...{ id, state, phase, trigger, dry, starter, read: people, pages, off, total, done, failed, counts, known, gone },
    ...{ fault, date, finishedAt, worked, noted },
    losses: (options.losses ?? []).map(({ code, ...loss }) => ({ title: titles.get(code) ?? code, ...loss })),
    // the number of people is unknown while pages are read
    left: phase === 'read' ? null : left,
  }
}

/** Returns a run of a synchronization. Throws 404. */
async function runOf(id: string) {
  const run = await selectSyncRun(db(), id)
  if (!run?.subject) throw notFound()
  return { ...run, scope: { kind: syncKind, subject: run.subject } }
}

/** Returns one page of the runs of a synchronization. Needs providers.read. Throws 404. */
export async function listProviderSyncHistory(
  ctx: Ctx,
  { params: { syncId }, query }: ServiceInput<typeof calls.listProviderSyncHistory>,
) {
  requireMethod(ctx, read)
  if (!(await selectSync(db(), syncId))) throw notFound()
  const { rows, meta } = await selectRunPage(syncId, query, ctx.user?.pagination ?? null)
  const [counts, titles] = await Promise.all([countsOf(rows.map(({ id }) => id)), titlesIn(ctx.locale)])
  const scope = { kind: syncKind, subject: syncId }
  const history = await Promise.all(
    rows.map(async ({ id, options }) => runAnswer((await readBatchJob(scope, id)).run, options, counts(id), titles)),
  )
  return { history, meta }
}

/** Returns the titles of fields by their codes, in the reader's language. */
const titlesIn = async (locale: string) => {
  const [fields, t] = await Promise.all([peopleFields(), textsIn(locale)])
  const roles = t('history.users.roles')
  return new Map([
    // rows of earlier versions name roles like a field
    ['roles', roles],
    [rolesCode, roles],
    ...fields.map((field): [string, string] => [field.code, localName(field, locale)]),
  ])
}

/**
 * Returns the parameters of a fault with the title of its field as `column`. Rows of earlier versions store the title
 * itself.
 */
function faultParams(params: Record<string, string | number> | null, titles: ReadonlyMap<string, string>) {
  const { fieldCode, ...settings } = params ?? {}
  return fieldCode === undefined ? settings : { ...settings, column: titles.get(String(fieldCode)) ?? fieldCode }
}

type FaultyRow = Awaited<ReturnType<typeof selectFaultyRows>>[number]

/** Returns the faults of a row: why it failed, or each field that was left out. */
function faultsOf({ row, title, input, state, fault, params }: FaultyRow, titles: ReadonlyMap<string, string>) {
  const { externalId, notes } = SyncPerson.parse(input)
  const written = state === 'done'
  const faults = written ? notes : [{ code: fault ?? 'errorUnknown', params: params ?? {} }]
  return faults.map((note) => ({
    ...{ row, title, externalId, written, code: note.code },
    params: faultParams(note.params, titles),
  }))
}

type ById = { params: { id: string } }

/** Returns a run with its first faults. Needs providers.read. Throws 404. */
export async function readProviderRun(ctx: Ctx, { params: { id } }: ById) {
  requireMethod(ctx, read)
  const { scope, options } = await runOf(id)
  const [{ run }, counts, titles] = await Promise.all([readBatchJob(scope, id), countsOf([id]), titlesIn(ctx.locale)])
  const rows = run.failed + counts(id).noted > 0 ? await selectFaultyRows(id, 0, maxFaults) : []
  const faults = rows.flatMap((row) => faultsOf(row, titles)).slice(0, maxFaults)
  return { run: runAnswer(run, options, counts(id), titles), faults }
}

/** Returns the newest trial of a synchronization; null before the first one. Needs providers.read. */
export async function readNewestTrial(ctx: Ctx, syncId: string) {
  requireMethod(ctx, read)
  const newest = await selectNewest(db(), syncId, true)
  return newest ? (await readProviderRun(ctx, { params: { id: newest.id } })).run : null
}

/** Returns one page of the people of a run. Needs providers.read. Throws 404. */
export async function listProviderRunRows(
  ctx: Ctx,
  { params: { id }, query }: ServiceInput<typeof calls.listProviderRunRows>,
) {
  requireMethod(ctx, read)
  await runOf(id)
  const [{ rows, meta }, titles] = await Promise.all([
    selectRowPage(id, query, ctx.user?.pagination ?? null),
    titlesIn(ctx.locale),
  ])
  return {
    rows: rows.map(({ row, title, input, action }) => {
      const { externalId, userId, goneId, changed } = SyncPerson.parse(input)
      const names = changed.map((code) => titles.get(code) ?? code)
      return {
        row,
        title,
        externalId,
        userId: userId ?? goneId ?? null,
        action: action as calls.RunAction,
        changed: names,
      }
    }),
    meta,
  }
}

/** Stops a run. Needs providers.write. Throws 404 and 409 runOver. */
export async function stopProviderRun(ctx: Ctx, { params: { id } }: ById) {
  requireMethod(ctx, write)
  return stopBatchJob((await runOf(id)).scope, id)
}

/**
 * Resumes a stopped run. If it waits for a decision, `disable` says whether the accounts of people who are gone are
 * disabled, and `losses` whether people lose the values and roles that the directory no longer has. Needs
 * providers.write. Throws 400 errorSyncDecision without a decision, 404, 409 runOver for a run that is over or followed
 * by another one, and 409 runRunning (docs/rules/providers.md#people-who-are-gone).
 */
export async function resumeProviderRun(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.resumeProviderRun>,
) {
  requireMethod(ctx, write)
  const { scope, subject, ...run } = await runOf(id)
  const options = SyncOptions.parse(run.options)
  const syncWithProvider = await selectSync(db(), options.syncId)
  if (!options.dry && !syncWithProvider?.provider.enabled) throw startRefusedError('syncProviderOff')
  if (!options.dry && !syncWithProvider?.sync.enabled) throw startRefusedError('syncOff')
  const awaitsDecision = options.phase === 'guard'
  if (awaitsDecision && !body.disable) throw fieldError('disable', 'errorSyncDecision')
  const awaitsLosses = waitsForLosses(options) && !options.dry
  if (awaitsLosses && !body.losses) throw fieldError('losses', 'errorSyncDecision')
  if ((await selectNewest(db(), scope.subject, options.dry))?.id !== id) throw new AppError(409, 'runOver')
  // the run now works with the rights of the person who decides
  const actor = ctx.user ? { actorId: ctx.user.id } : {}
  if (ctx.user && !options.dry) await storeSync(db(), options.syncId, actor)
  if (awaitsDecision && body.disable === 'none') {
    await db().transaction((tx) => dropGone(tx, id))
    return resumeBatchJob(scope, id, { ...actor, phase: 'done' })
  }
  return resumeBatchJob(scope, id, {
    ...actor,
    ...(awaitsDecision ? { phase: 'disable' } : {}),
    ...(awaitsLosses ? { lossesDecided: body.losses } : {}),
  })
}

/**
 * Returns the people of a run who failed or were written in part, with the reason. Needs providers.read. Throws 404.
 */
export async function readProviderRunFaults(ctx: Ctx, { params: { id } }: ById): Promise<GivenFile> {
  requireMethod(ctx, read)
  await runOf(id)
  const text = await errorWords(ctx.locale, 'provider-sync', 'users', 'administration', 'dynamic-fields')
  const [t, titles] = await Promise.all([textsIn(ctx.locale), titlesIn(ctx.locale)])
  async function* chunks() {
    yield csvBeginning + csvOf([[t('runs.head.externalId'), t('runs.head.person'), t('runs.head.error')]])
    for (let after = 0; ; ) {
      const page = await selectFaultyRows(id, after, rowsAtOnce)
      for (const { title, externalId, code, params } of page.flatMap((row) => faultsOf(row, titles))) {
        const { column, ...values } = params
        const reason = text(code, values)
        yield csvOf([[externalId, title, column ? `${column}: ${reason}` : reason]])
      }
      const last = page.at(-1)
      if (!last || page.length < rowsAtOnce) return
      after = last.row
    }
  }
  return { name: 'people-not-synchronized.csv', type: 'text/csv', chunks: chunks() }
}
