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
import { findVersions } from './look'
import {
  selectApplications,
  selectLastLook,
  selectNeededKeys,
  selectParts,
  selectWithoutPkce,
  storeVersions,
} from './queries'
import { type PartName, parts, shipped, statusOf } from './versions'

/** The limit of refreshes by one person. */
const refreshLimit = [{ points: 10, duration: 60 }]
/** In milliseconds: after `hourly`, versions are searched again; `cachedFor` is for the status in the header. */
const [hourly, cachedFor] = [3_600_000, 30_000]
/** The largest number of names in a finding. */
const mostNames = 20

/** The recommended version of a part or an application; null without one. An application may be called `constructor`. */
const recommendedFor = (code: string): string | null => {
  for (const versions of [env().RECOMMENDED_VERSIONS, shipped] as Readonly<Record<string, string>>[])
    if (Object.hasOwn(versions, code)) return versions[code] ?? null
  return null
}

/** The versions that this process knows without a search. */
const knownVersions: Partial<Record<PartName, string>> = { platform: shipped.platform, node: process.versions.node }

/** Returns the versions of all parts and applications, with names in a language. */
async function allVersions(locale: string): Promise<Version[]> {
  const [t, partRows, applications] = await Promise.all([
    textsIn(locale).then(wordsOf),
    selectParts(),
    selectApplications(),
  ])
  const ofParts = parts.map((key) => {
    const row = partRows.find((part) => part.key === key)
    const version = knownVersions[key] ?? row?.version ?? null
    const recommendVersion = recommendedFor(key)
    const error = knownVersions[key] ? null : (row?.error ?? null)
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

/**
 * Returns a page of the versions. Filters and sorts in memory: versions and recommendations come from different places,
 * and there are a few hundred rows.
 */
function pageOf(versions: readonly Version[], query: VersionInput, callerPageSize: number | null, locale: string) {
  const { application, status } = query.filter
  const order = new Intl.Collator(locale)
  const matches = versions
    .filter((row) => !status || row.status === status)
    .filter((row) => !application || row.id === application.toLowerCase() || isFound(application, [row.application]))
    .toSorted((a, b) => {
      const byName = order.compare(a.application, b.application)
      const bySort = query.sortBy === 'status' ? weight[a.status] - weight[b.status] : byName
      return (query.sort === 'desc' ? -bySort : bySort) || byName
    })
  const perPage = query.perPage ?? callerPageSize ?? defaultPageSize
  const offset = (query.page - 1) * perPage
  const meta = { page: query.page, perPage, total: matches.length, pages: Math.ceil(matches.length / perPage) }
  return { versions: matches.slice(offset, offset + perPage), meta }
}

/** Returns one page of the versions. Needs diagnostics.read. */
export async function listVersions(ctx: Ctx, { query }: ServiceInput<typeof calls.listVersions>) {
  requireMethod(ctx, 'diagnostics.read')
  return pageOf(await allVersions(ctx.locale), query, ctx.user?.pagination ?? null, ctx.locale)
}

async function searchAgain(now: Date) {
  await storeVersions(await findVersions(), now)
  await changing('diagnostics', async () => undefined)
}

// simultaneous callers in this process wait for one search
let searching: Promise<void> | undefined

/**
 * Searches all versions now, and returns one page of them. Needs diagnostics.read. Throws 429 for a person who calls
 * too often.
 */
export async function refreshVersions(ctx: Ctx, input: ServiceInput<typeof calls.refreshVersions>) {
  requireMethod(ctx, 'diagnostics.read')
  const key = ctx.user?.id ?? ctx.service?.clientId ?? ''
  await takePoints({ name: 'diagnostics-refresh', key, tiers: refreshLimit })
  searching ??= searchAgain(ctx.now()).finally(() => {
    searching = undefined
  })
  await searching
  return listVersions(ctx, input)
}

/** Searches all versions if the last search was at least an hour ago. */
export async function refreshOldVersions(now: Date): Promise<void> {
  const lastSearch = await selectLastLook()
  if (!lastSearch || now.getTime() - lastSearch.getTime() >= hourly) await searchAgain(now)
}

async function findings(): Promise<Finding[]> {
  const [clients, keys, settings] = await Promise.all([
    selectWithoutPkce(mostNames),
    selectNeededKeys(namedKeys()[0]?.id ?? ''),
    weakSettings(),
  ])
  const allFindings: Finding[] = [
    { code: 'clientsWithoutPkce', ...clients },
    { code: 'keysToReseal', count: keys.length, names: keys.slice(0, mostNames) },
    { code: 'weakSettings', count: settings.length, names: settings.slice(0, mostNames) },
  ]
  return allFindings.filter(({ count }) => count > 0)
}

/** Returns the findings that are weaker than recommended. Needs diagnostics.read. */
export async function listFindings(ctx: Ctx) {
  requireMethod(ctx, 'diagnostics.read')
  return { findings: await findings() }
}

/**
 * Returns the number of compared versions, and how many are outdated, not found, or need data to be encrypted again.
 * Weak settings and clients don't count: somebody chose them, so only the page shows them, not the header.
 */
export const diagnosticsCounts = () =>
  cached(
    'diagnostics',
    async () => {
      const [versions, keys] = await Promise.all([allVersions('en'), selectNeededKeys(namedKeys()[0]?.id ?? '')])
      const faulty = versions.filter(({ status, error }) => status === 'outdated' || error !== null).length
      return { count: versions.length + 1, errorCount: faulty + Math.min(keys.length, 1), versions: faulty }
    },
    cachedFor,
  )

/** Returns the status of the diagnostics for the header. Needs diagnosticsNotifyAccess. */
export async function getDiagnosticsStatus(ctx: Ctx): Promise<ServiceOutput<typeof calls.getDiagnosticsStatus>> {
  requireMethod(ctx, 'diagnosticsNotifyAccess')
  const { count, errorCount } = await diagnosticsCounts()
  return { status: errorCount > 0 ? 'error' : 'success', count, errorCount }
}

/**
 * Returns the versions of the software that the platform runs on, as they were found last. The caller must have checked
 * access.
 */
export async function ownVersions() {
  const partRows = await selectParts()
  return parts
    .filter((name) => name !== 'platform')
    .map((name) => ({
      name,
      version: knownVersions[name] ?? partRows.find(({ key }) => key === name)?.version ?? null,
    }))
}

/** Returns the running version and the recommended one; `older`: an update is recommended. */
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
