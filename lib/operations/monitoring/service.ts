import { cached } from '@/lib/base/cache/cache'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { auditedExport } from '@/lib/base/export/audited-export'
import { localName, nameAmong } from '@/lib/base/i18n/local-name'
import { textsIn } from '@/lib/base/i18n/texts-in'
import { wordsOf } from '@/lib/base/i18n/words'
import { takePoints } from '@/lib/base/limits/limits'
import { notFound } from '@/lib/base/runtime/errors'
import { partsOf } from './chart'
import type * as calls from './contract'
import type { MonitoringRow, Turn } from './contract'
import { monitoringExportEntity } from './entity'
import {
  type CheckRow,
  checkRows,
  countChecks,
  type SlotRow,
  selectCheckedApplications,
  selectChecks,
  selectSlots,
  selectStandings,
  selectTurn,
  slotLength,
} from './queries'
import { checkNow } from './run'
import { shownState } from './state'

const barCount = 48
/**
 * In milliseconds: a due turn that hasn't begun after this time counts as stopped; a worker takes turns within a
 * minute.
 */
const lateAfter = 150_000
/** How long the status for the header is cached, in milliseconds. */
const cachedFor = 5_000
/** The limit of refreshes by one person. */
const refreshLimit = [{ points: 10, duration: 60 }]

/** Returns the times of the checks, and whether they have stopped (docs/rules/monitoring.md#turns). */
async function currentTurn(now: Date): Promise<Turn> {
  const row = await selectTurn()
  return {
    checkedAt: row?.doneAt?.toISOString() ?? null,
    nextAt: row?.nextAt.toISOString() ?? null,
    stale: row?.doneAt != null && now.getTime() - row.nextAt.getTime() > lateAfter,
  }
}

function barOf(slot: SlotRow | undefined): MonitoringRow['bars'][number] {
  if (!slot || slot.checks === 0) return 'none'
  if (slot.failures === slot.checks) return 'bad'
  if (slot.failures > 0) return 'partly'
  return slot.stuck > 0 ? 'stuck' : 'good'
}

const sum = (slots: readonly SlotRow[], partOf: (slot: SlotRow) => number) =>
  slots.reduce((total, slot) => total + partOf(slot), 0)

function rowOf(row: CheckRow, slots: readonly SlotRow[], now: Date, locale: string): MonitoringRow {
  const currentSlot = Math.floor(now.getTime() / slotLength)
  const results = sum(slots, ({ checks }) => checks)
  const failures = sum(slots, ({ failures }) => failures)
  return {
    id: row.id,
    key: row.key,
    kind: row.kind as MonitoringRow['kind'],
    application: row.name ? localName({ name: row.name, nameEn: row.nameEn }, locale) : null,
    description: nameAmong({ ru: row.description, en: row.descriptionEn }, locale),
    status: row.status,
    connected: row.connected,
    stuckCount: row.stuckCount,
    errorAt: row.errorAt?.toISOString() ?? null,
    lastError: row.lastError,
    critical: row.critical,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    latency: row.latency,
    changedAt: row.changedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    // rounded down: a single failure must not be shown as 100
    available: results === 0 ? null : Math.floor(((results - failures) / results) * 1_000) / 10,
    bars: Array.from({ length: barCount }, (_, index) =>
      barOf(slots.find((slot) => slot.at.getTime() / slotLength === currentSlot - barCount + 1 + index)),
    ),
  }
}

type Listing = ServiceInput<typeof calls.listMonitoring>['query']

async function page(ctx: Ctx, query: Listing) {
  const now = ctx.now()
  const { rows, meta } = await selectChecks(query, ctx.user?.pagination ?? null, ctx.locale)
  const since = new Date((Math.floor(now.getTime() / slotLength) - barCount + 1) * slotLength)
  const slots = Map.groupBy(
    await selectSlots(
      rows.map(({ id }) => id),
      since,
    ),
    ({ checkId }) => checkId,
  )
  return { rows: rows.map((row) => rowOf(row, slots.get(row.id) ?? [], now, ctx.locale)), meta }
}

/** Returns the times of the checks, for the page. Needs monitoring.read. */
export async function monitoringTurn(ctx: Ctx): Promise<Turn> {
  requireMethod(ctx, 'monitoring.read')
  return currentTurn(ctx.now())
}

/** Returns one page of the checks. Needs monitoring.read. */
export async function listMonitoring(
  ctx: Ctx,
  { query }: ServiceInput<typeof calls.listMonitoring>,
): Promise<ServiceOutput<typeof calls.listMonitoring>> {
  requireMethod(ctx, 'monitoring.read')
  const [{ rows, meta }, turn] = await Promise.all([page(ctx, query), currentTurn(ctx.now())])
  return { data: rows, meta, turn }
}

/** Returns the results of a check over a period. Needs monitoring.read. Throws 404. */
export async function readCheckHistory(ctx: Ctx, { params, query }: ServiceInput<typeof calls.readCheckHistory>) {
  requireMethod(ctx, 'monitoring.read')
  const row = await checkRows.select(params.id)
  if (!row) throw notFound()
  const now = ctx.now()
  const slots = await selectSlots([row.id], new Date(now.getTime() - (query.hours + 24) * 3_600_000))
  const application = row.name ? localName({ name: row.name, nameEn: row.nameEn }, ctx.locale) : null
  return { key: row.key, application, parts: partsOf(slots, query.hours, now, ctx.timeZone) }
}

/**
 * Runs all checks now, once for simultaneous callers. Needs monitoring.read. Throws 429 for a person who calls too
 * often.
 */
export async function refreshMonitoring(ctx: Ctx): Promise<Turn> {
  requireMethod(ctx, 'monitoring.read')
  const key = ctx.user?.id ?? ctx.service?.clientId ?? ''
  await takePoints({ name: 'monitoring-refresh', key, tiers: refreshLimit })
  await checkNow()
  return currentTurn(ctx.now())
}

/** Returns the list under its filters as a file, which makes an audit event. Needs monitoring.read. */
export async function exportMonitoring(
  ctx: Ctx,
  { query: { format, list } }: ServiceInput<typeof calls.exportMonitoring>,
) {
  requireMethod(ctx, 'monitoring.read')
  const t = wordsOf(await textsIn(ctx.locale))
  const nameOf = ({ application, kind }: MonitoringRow) => application ?? t(`monitoring.kinds.${kind}`)
  const moment = (value: string | null) => (value ? new Date(value) : null)
  return auditedExport<MonitoringRow>(ctx, {
    entity: monitoringExportEntity,
    filter: list.filter,
    format,
    name: `monitoring-${ctx.now().toISOString().slice(0, 10)}`,
    columns: [
      { head: t('monitoring.what'), cell: nameOf },
      { head: t('monitoring.key'), cell: ({ key }) => key },
      { head: t('monitoring.description'), cell: ({ description }) => description },
      { head: t('monitoring.critical'), cell: ({ critical }) => t(`monitoring.criticality.${critical}`) },
      {
        head: t('monitoring.status'),
        cell: (row) => t(`monitoring.statuses.${shownState(row)}`, { kind: row.kind, count: row.stuckCount }),
      },
      { head: t('monitoring.stuckCount'), cell: ({ stuckCount }) => stuckCount },
      { head: t('monitoring.available'), cell: ({ available }) => available },
      { head: t('monitoring.latency'), cell: ({ latency }) => latency },
      { head: t('monitoring.checkedAt'), moment: ({ checkedAt }) => moment(checkedAt) },
      { head: t('monitoring.errorAt'), moment: ({ errorAt }) => moment(errorAt) },
      { head: t('monitoring.lastError'), cell: ({ lastError }) => lastError },
    ],
    // the cursor is a page number, as the list has a few hundred rows at most
    read: async (after) => {
      const pageNumber = Number(after ?? 1)
      const { rows, meta } = await page(ctx, { ...list, page: pageNumber })
      return { rows, after: pageNumber < meta.pages ? String(pageNumber + 1) : null }
    },
  })
}

/** Returns the applications that are checked. Needs monitoring.read. */
export async function listMonitoredApplications(ctx: Ctx) {
  requireMethod(ctx, 'monitoring.read')
  const rows = await selectCheckedApplications(ctx.locale)
  return { applications: rows.map((row) => ({ id: row.id, name: localName(row, ctx.locale) })) }
}

/**
 * Returns the number of checks, and how many of them are down or stuck; if checks have stopped, this counts as one
 * more.
 */
export const monitoringCounts = () =>
  cached(
    'monitoring',
    async () => {
      const [{ total, down, stuck }, { stale }] = await Promise.all([countChecks(), currentTurn(new Date())])
      return { count: total, errorCount: down + stuck + (stale ? 1 : 0) }
    },
    cachedFor,
  )

/** Returns every check with its state, and the time of the last checks, for the metrics of a process. */
export const allStandings = () => selectStandings()
export const lastTurn = async () => (await selectTurn())?.doneAt ?? null

/** Returns the status of the monitoring for the header. Needs monitoringNotifyAccess. */
export async function getMonitoringStatus(ctx: Ctx): Promise<ServiceOutput<typeof calls.getMonitoringStatus>> {
  requireMethod(ctx, 'monitoringNotifyAccess')
  const { count, errorCount } = await monitoringCounts()
  return { status: errorCount > 0 ? 'error' : 'success', count, errorCount }
}
