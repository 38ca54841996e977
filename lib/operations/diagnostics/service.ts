import { changing } from '@/lib/base/audit/change'
import { cached } from '@/lib/base/cache/cache'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { namedKeys } from '@/lib/base/crypto/encryption'
import { localName } from '@/lib/base/i18n/local-name'
import { textsIn } from '@/lib/base/i18n/texts-in'
import { wordsOf } from '@/lib/base/i18n/words'
import { takePoints } from '@/lib/base/limits/limits'
import { defaultPageSize } from '@/lib/base/lists/lists'
import { isFound } from '@/lib/base/lists/search-form'
import { env } from '@/lib/base/runtime/env'
import { weakSettings } from '@/lib/site/settings/weak'
import type * as calls from './contract'
import type { Finding, Version, VersionInput } from './contract'
import { lookForVersions } from './look'
import {
  selectApplications,
  selectLastLook,
  selectOpenKeys,
  selectParts,
  selectWithoutPkce,
  storeVersions,
} from './queries'
import { type PartName, parts, shipped, statusOf } from './versions'

/** How often one person may have all versions looked for. */
const refreshes = [{ points: 10, duration: 60 }]
/** Milliseconds after which versions are looked for again, and for which what the header tells is kept. */
const [hourly, kept] = [3_600_000, 30_000]
/** How many names a finding has at most. */
const named = 20

const recommendedFor = (code: string): string | null => {
  const own = env().RECOMMENDED_VERSIONS[code]
  return own ?? (shipped as Readonly<Record<string, string>>)[code] ?? null
}

/** What this process knows without looking. */
const here: Partial<Record<PartName, string>> = { platform: shipped.platform, node: process.versions.node }

/** Returns the versions of all parts and applications, with names in a language. */
async function allVersions(locale: string): Promise<Version[]> {
  const [t, own, applications] = await Promise.all([textsIn(locale).then(wordsOf), selectParts(), selectApplications()])
  const ofParts = parts.map((key) => {
    const row = own.find((one) => one.key === key)
    const version = here[key] ?? row?.version ?? null
    const recommendVersion = recommendedFor(key)
    const error = here[key] ? null : (row?.error ?? null)
    return {
      id: key,
      application: t(`diagnostics.parts.${key}`),
      applicationId: null,
      version,
      recommendVersion,
      status: statusOf(version, recommendVersion, error),
      checkedAt: row?.checkedAt.toISOString() ?? null,
      error,
    }
  })
  const ofApplications = applications.map((row) => {
    const version = row.version ?? row.stated
    const recommendVersion = recommendedFor(row.code)
    const error = row.techUrl ? row.error : null
    return {
      id: row.id,
      application: localName(row, locale),
      applicationId: row.id,
      version,
      recommendVersion,
      status: statusOf(version, recommendVersion, error),
      checkedAt: row.checkedAt?.toISOString() ?? null,
      error,
    }
  })
  return [...ofParts, ...ofApplications]
}

const weight = { current: 0, uncompared: 1, unknown: 2, outdated: 3 } as const

/** The list in one piece: versions and what is recommended lie in different places, and there are a few hundred. */
function pageOf(all: readonly Version[], query: VersionInput, ownPageSize: number | null, locale: string) {
  const { application, status } = query.filter
  const order = new Intl.Collator(locale)
  const found = all
    .filter((row) => !status || row.status === status)
    .filter((row) => !application || row.id === application.toLowerCase() || isFound(application, [row.application]))
    .toSorted((a, b) => {
      const byName = order.compare(a.application, b.application)
      const by = query.sortBy === 'status' ? weight[a.status] - weight[b.status] : byName
      return (query.sort === 'desc' ? -by : by) || byName
    })
  const perPage = query.perPage ?? ownPageSize ?? defaultPageSize
  const from = (query.page - 1) * perPage
  const meta = { page: query.page, perPage, total: found.length, pages: Math.ceil(found.length / perPage) }
  return { versions: found.slice(from, from + perPage), meta }
}

/** Returns one page of the versions. Needs diagnostics.read. */
export async function listVersions(ctx: Ctx, { query }: ServiceInput<typeof calls.listVersions>) {
  requireMethod(ctx, 'diagnostics.read')
  return pageOf(await allVersions(ctx.locale), query, ctx.user?.pagination ?? null, ctx.locale)
}

async function lookAgain(now: Date) {
  await storeVersions(await lookForVersions(), now)
  await changing('diagnostics', async () => undefined)
}

// those who ask at once in this process wait for one look
let looking: Promise<void> | undefined

/**
 * Looks for all versions now, and returns one page of them. Needs diagnostics.read. Throws 429 for a person who asks
 * again and again.
 */
export async function refreshVersions(ctx: Ctx, input: ServiceInput<typeof calls.refreshVersions>) {
  requireMethod(ctx, 'diagnostics.read')
  const key = ctx.user?.id ?? ctx.service?.clientId ?? ''
  await takePoints({ name: 'diagnostics-refresh', key, tiers: refreshes })
  looking ??= lookAgain(ctx.now()).finally(() => {
    looking = undefined
  })
  await looking
  return listVersions(ctx, input)
}

/** Looks for all versions if the last look was an hour ago. */
export async function refreshOldVersions(now: Date): Promise<void> {
  const last = await selectLastLook()
  if (!last || now.getTime() - last.getTime() >= hourly) await lookAgain(now)
}

async function findings(): Promise<Finding[]> {
  const [clients, keys, settings] = await Promise.all([
    selectWithoutPkce(named),
    selectOpenKeys(namedKeys()[0]?.id ?? ''),
    weakSettings(),
  ])
  const all: Finding[] = [
    { code: 'clientsWithoutPkce', ...clients },
    { code: 'keysToReseal', count: keys.length, names: keys.slice(0, named) },
    { code: 'weakSettings', count: settings.length, names: settings.slice(0, named) },
  ]
  return all.filter(({ count }) => count > 0)
}

/** Returns what is weaker than recommended. Needs diagnostics.read. */
export async function listFindings(ctx: Ctx) {
  requireMethod(ctx, 'diagnostics.read')
  return { findings: await findings() }
}

/**
 * Returns how much was looked at, and how much of it is outdated, not found or must be sealed again. Settings and clients
 * that are weaker than recommended were chosen so: the page tells of them, and the header doesn't.
 */
export const diagnosticsCounts = () =>
  cached(
    'diagnostics',
    async () => {
      const [versions, keys] = await Promise.all([allVersions('en'), selectOpenKeys(namedKeys()[0]?.id ?? '')])
      const wrong = versions.filter(({ status, error }) => status === 'outdated' || error !== null).length
      return { count: versions.length + 1, errorCount: wrong + Math.min(keys.length, 1), versions: wrong }
    },
    kept,
  )

/** Returns what the header tells of the diagnostics. Needs diagnosticsNotifyAccess. */
export async function getDiagnosticsStatus(ctx: Ctx): Promise<ServiceOutput<typeof calls.getDiagnosticsStatus>> {
  requireMethod(ctx, 'diagnosticsNotifyAccess')
  const { count, errorCount } = await diagnosticsCounts()
  return { status: errorCount > 0 ? 'error' : 'success', count, errorCount }
}

/** Returns the versions of what the platform runs on, as they were found last; the caller has checked access. */
export async function ownVersions() {
  const own = await selectParts()
  return parts
    .filter((name) => name !== 'platform')
    .map((name) => ({ name, version: here[name] ?? own.find(({ key }) => key === name)?.version ?? null }))
}

/** Returns the version that runs, and the recommended one; `older`: it should be updated. */
export function platformUpdate() {
  const recommendVersion = recommendedFor('platform') ?? shipped.platform
  return {
    version: shipped.platform,
    recommendVersion,
    older: statusOf(shipped.platform, recommendVersion) === 'outdated',
  }
}

/** Returns whether a newer platform is recommended. Needs diagnosticsApplicationsNotifyAccess. */
export async function getUpdateStatus(ctx: Ctx): Promise<ServiceOutput<typeof calls.getUpdateStatus>> {
  requireMethod(ctx, 'diagnosticsApplicationsNotifyAccess')
  const { older, ...versions } = platformUpdate()
  return { status: older ? 'error' : 'success', ...versions }
}
