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
import { barredError, barredNow, begin } from './start'

const [read, write] = ['providers.read', 'providers.write'] as const
const shownFaults = 100
/** How many rows of a file are read at once. */
const atOnce = 500

/** Returns a length of time as a number and a word that divide it without a rest. */
const asPeriod = (seconds: number) =>
  seconds % 86_400 === 0
    ? { periodUnit: seconds / 86_400, periodAmount: 'days' as const }
    : seconds % 3_600 === 0
      ? { periodUnit: seconds / 3_600, periodAmount: 'hours' as const }
      : { periodUnit: Math.round(seconds / 60), periodAmount: 'minutes' as const }

/** Returns the period that a synchronization gets when it is enabled first: that of the setting syncPeriod. */
export const suggestedPeriod = async () => asPeriod((await platformSettings()).syncPeriod)

/**
 * Starts a run by hand, which acts with the rights of the caller. Returns its id. Needs providers.write and a person.
 * Throws 404, and 409 with why it can't be started (docs/rules/providers.md#start).
 */
export async function startProviderSync(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.startProviderSync>,
) {
  requireMethod(ctx, write)
  return db().transaction(async (tx) => {
    const locked = await lockSync(tx, { providerId: id })
    if (!locked) throw notFound()
    const barred = await barredNow(tx, locked, body.dry)
    if (barred) throw barredError(barred)
    // a service account holds no roles of its own to compare with
    const actorId = ctx.user?.id ?? locked.sync.actorId
    if (ctx.user && !body.dry) await storeSync(tx, locked.sync.id, { actorId })
    return { id: await begin(tx, locked, { trigger: 'manual', dry: body.dry, actorId, ...startedBy(ctx) }) }
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
 * Switches a synchronization and sets how often it runs. The first enabling queues a run. Needs providers.write. Throws
 * 400 errorSyncPeriod for a period that is too short or too long, 404, 409 if somebody has saved it since, and what
 * `requireMayChangeProvider` throws.
 */
export async function updateProviderSync(
  ctx: Ctx,
  { params: { id, syncId }, body }: ServiceInput<typeof calls.updateProviderSync>,
) {
  requireMethod(ctx, write)
  const { updatedAt, periodUnit, ...rest } = body
  const suggested = periodUnit === undefined ? await suggestedPeriod() : null
  await changing('providers', async (tx) => {
    const locked = await lockSync(tx, { id: syncId })
    if (locked && locked.provider.id !== id) throw notFound()
    const kept = { read, id: syncId, row: locked?.sync, updatedAt } as const
    const before = await requireVersion(tx, ctx, providerSyncEntity, kept)
    await requireMayChangeProvider(tx, ctx, id)
    const first = rest.enabled && !before.enabled && !(await selectNewest(tx, syncId, false))
    const period =
      periodUnit === undefined
        ? first && suggested
          ? suggested
          : { periodUnit: before.periodUnit, periodAmount: before.periodAmount }
        : { periodUnit, periodAmount: rest.periodAmount }
    const seconds = periodOf(period)
    if (seconds !== 0 && (seconds < shortestPeriod || seconds > longestPeriod))
      throw fieldError('periodUnit', 'errorSyncPeriod')
    if (rest.enabled && locked?.provider.type === 'oidc') throw fieldError('enabled', 'errorSyncOffered')
    const values = { ...rest, ...period }
    await audit(tx, ctx, providerSyncEntity, syncId, recordedOf(before), recordedOf(values))
    // a save lets scheduled runs go on after a fault, also if nothing differs
    await storeSync(tx, syncId, { ...values, ...(ctx.user ? { actorId: ctx.user.id } : {}) })
    const again = await lockSync(tx, { id: syncId })
    if (!again || !first) return
    if ((await barredNow(tx, again, false)) !== 'syncAwait') return
    await begin(tx, again, { trigger: 'first', dry: false, actorId: again.sync.actorId, ...startedBy(ctx) })
  })
  return {}
}

type Shown = Awaited<ReturnType<typeof readBatchJob>>['run']

async function countsOf(runIds: readonly string[]) {
  const none = { created: 0, changed: 0, enabled: 0, disabled: 0, same: 0 }
  const all = new Map(runIds.map((id) => [id, { counts: { ...none }, noted: 0 }]))
  for (const { runId, action, count, noted } of runIds.length > 0 ? await selectActions(runIds) : []) {
    const of = all.get(runId)
    if (!of) continue
    if (action && action in none) of.counts[action as keyof typeof none] += count
    of.noted += noted
  }
  return (id: string) => all.get(id) ?? { counts: none, noted: 0 }
}

const shownRun = (
  run: Shown,
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
    // while pages are read, nobody knows how many people there are
    left: phase === 'read' ? null : left,
  }
}

/** Requires a run of a synchronization. Throws 404. */
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
    rows.map(async ({ id, options }) => shownRun((await readBatchJob(scope, id)).run, options, counts(id), titles)),
  )
  return { history, meta }
}

/** Returns the titles of fields by their codes, as a reader knows them. */
const titlesIn = async (locale: string) => {
  const [fields, t] = await Promise.all([peopleFields(), textsIn(locale)])
  const roles = t('history.users.roles')
  return new Map([
    // rows of earlier versions name them like a field
    ['roles', roles],
    [rolesCode, roles],
    ...fields.map((field): [string, string] => [field.code, localName(field, locale)]),
  ])
}

/** Names the field of a fault. Rows of earlier versions have the title itself, as `column`. */
function faultParams(params: Record<string, string | number> | null, titles: ReadonlyMap<string, string>) {
  const { fieldCode, ...rest } = params ?? {}
  return fieldCode === undefined ? rest : { ...rest, column: titles.get(String(fieldCode)) ?? fieldCode }
}

type FaultyRow = Awaited<ReturnType<typeof selectFaultyRows>>[number]

/** What is wrong with a row: why it failed, or each thing that was left out. */
function faultsOf({ row, title, input, state, fault, params }: FaultyRow, titles: ReadonlyMap<string, string>) {
  const { externalId, notes } = SyncPerson.parse(input)
  const written = state === 'done'
  const found = written ? notes : [{ code: fault ?? 'errorUnknown', params: params ?? {} }]
  return found.map((note) => ({
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
  const rows = run.failed + counts(id).noted > 0 ? await selectFaultyRows(id, 0, shownFaults) : []
  const faults = rows.flatMap((row) => faultsOf(row, titles)).slice(0, shownFaults)
  return { run: shownRun(run, options, counts(id), titles), faults }
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
 * Lets a stopped run go on. Where it waits for a decision, `disable` says whether the people who are gone are disabled,
 * `losses` whether people lose the values and roles that the directory no longer has. Needs providers.write. Throws 400 errorSyncDecision without a decision, 404, 409 runOver for a run that is over or
 * followed by another one, and 409 runRunning (docs/rules/providers.md#people-who-are-gone).
 */
export async function resumeProviderRun(
  ctx: Ctx,
  { params: { id }, body }: ServiceInput<typeof calls.resumeProviderRun>,
) {
  requireMethod(ctx, write)
  const { scope, subject, ...run } = await runOf(id)
  const options = SyncOptions.parse(run.options)
  const found = await selectSync(db(), options.syncId)
  if (!options.dry && !found?.provider.enabled) throw barredError('syncProviderOff')
  if (!options.dry && !found?.sync.enabled) throw barredError('syncOff')
  const waits = options.phase === 'guard'
  if (waits && !body.disable) throw fieldError('disable', 'errorSyncDecision')
  const losing = waitsForLosses(options) && !options.dry
  if (losing && !body.losses) throw fieldError('losses', 'errorSyncDecision')
  if ((await selectNewest(db(), scope.subject, options.dry))?.id !== id) throw new AppError(409, 'runOver')
  // whoever decides is who acts
  const actor = ctx.user ? { actorId: ctx.user.id } : {}
  if (ctx.user && !options.dry) await storeSync(db(), options.syncId, actor)
  if (waits && body.disable === 'none') {
    await db().transaction((tx) => dropGone(tx, id))
    return resumeBatchJob(scope, id, { ...actor, phase: 'done' })
  }
  return resumeBatchJob(scope, id, {
    ...actor,
    ...(waits ? { phase: 'disable' } : {}),
    ...(losing ? { lossesDecided: body.losses } : {}),
  })
}

/** Returns the people of a run who were not written, or not wholly, with the reason. Needs providers.read. Throws 404. */
export async function readProviderRunFaults(ctx: Ctx, { params: { id } }: ById): Promise<GivenFile> {
  requireMethod(ctx, read)
  await runOf(id)
  const text = await errorWords(ctx.locale, 'provider-sync', 'users', 'administration', 'dynamic-fields')
  const [t, titles] = await Promise.all([textsIn(ctx.locale), titlesIn(ctx.locale)])
  async function* chunks() {
    yield csvBeginning + csvOf([[t('runs.head.externalId'), t('runs.head.person'), t('runs.head.error')]])
    for (let after = 0; ; ) {
      const page = await selectFaultyRows(id, after, atOnce)
      for (const { title, externalId, code, params } of page.flatMap((row) => faultsOf(row, titles))) {
        const { column, ...values } = params
        const why = text(code, values)
        yield csvOf([[externalId, title, column ? `${column}: ${why}` : why]])
      }
      const last = page.at(-1)
      if (!last || page.length < atOnce) return
      after = last.row
    }
  }
  return { name: 'people-not-synchronized.csv', type: 'text/csv', chunks: chunks() }
}
