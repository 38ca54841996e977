import type { Area } from '@/lib/base/access/access-methods'
import { holdsMethod } from '@/lib/base/context/access'
import type { CtxUser } from '@/lib/base/context/ctx'
import { type Counter, loaded } from '@/lib/base/frame/badges'
import { smsReady } from '@/lib/base/mail-and-sms/transports'
import { isOpenTo } from '@/lib/base/navigation/screens'
import { env } from '@/lib/base/runtime/env'
import { AppError } from '@/lib/base/runtime/errors'
import { whitelistEnd } from '@/lib/network/access-lists/check-address'
import type { SettingId } from '@/lib/site/settings/definitions'
import { platformSettings } from '@/lib/site/settings/service'
import { weakSettings } from '@/lib/site/settings/weak'
import { diagnosticsCounts } from '../diagnostics/service'
import { licenseProblem } from '../license/service'
import { monitoringCounts } from '../monitoring/service'
import { selectAlertCounts, selectFigures } from './queries'

export type Alert = {
  code:
    | 'temporaryAdministrators'
    | 'oneAdministrator'
    | 'failedMessages'
    | 'stuckMessages'
    | 'deadEvents'
    | 'strandedEvents'
    | 'failedJobs'
    | 'reusedTokens'
    | 'waitingRequests'
    | 'weakSettings'
    | 'smsNotReady'
    | 'muteDomains'
    | 'untranslatedAgreements'
    | 'failedSyncs'
    | 'partialSyncs'
    | 'failedExchanges'
    | 'partialExchanges'
    | 'mailStays'
    | 'whitelistEnds'
    | 'checksDown'
    | 'versionsOutdated'
    | 'licenseExpired'
    | 'licenseInvalid'
    | 'licenseSessions'
  count: number
  tone: 'danger' | 'warning' | 'info'
  /** Name of the page where it can be fixed; the page may not exist yet. */
  screen: string | null
  /** The filters with which that page lists it. */
  filter?: Readonly<Record<string, string>>
  /** The ids of weak settings. */
  settings?: readonly SettingId[]
}
export type Figure = {
  code: 'people' | 'active' | 'services' | 'domains'
  value: number
  /** Name of the page that lists them, and the filters with which its list has this number of rows. */
  screen: string | null
  filter: Readonly<Record<string, string>>
}

type Viewer = Pick<CtxUser, 'methods'>

const minute = 60_000
const day = 24 * 60 * minute
/** A person with a request within this time counts as active (docs/rules/administration-screens.md#overview). */
const activeFor = 15 * minute

async function alertCountsFor(now: Date) {
  const { monitoringStuckAfter } = await platformSettings()
  const before = (ms: number) => new Date(now.getTime() - ms)
  const [counts, weakIds, endOfWhitelist, monitoring, diagnostics, license] = await Promise.all([
    selectAlertCounts({ failed: before(day), stuck: before(monitoringStuckAfter * 1000) }),
    weakSettings(),
    whitelistEnd(now),
    monitoringCounts(),
    diagnosticsCounts(),
    licenseProblem(),
  ])
  return {
    ...counts,
    weak: weakIds,
    whitelistEnds: endOfWhitelist ? 1 : 0,
    checksDown: monitoring.errorCount,
    versions: diagnostics.versions,
    license,
  }
}

type AlertCounts = Awaited<ReturnType<typeof alertCountsFor>>
type FigureCounts = Awaited<ReturnType<typeof selectFigures>>

/** Returns the alerts for an administrator with these methods, in the order of the overview. */
function alertsOf(viewer: Viewer, counts: AlertCounts): Alert[] {
  const license = (code: 'licenseExpired' | 'licenseInvalid' | 'licenseSessions', state: AlertCounts['license']) => ({
    code,
    count: counts.license === state ? 1 : 0,
    tone: 'warning' as const,
    area: 'license' as const,
    screen: 'PlatformSystem',
  })
  const alerts: (Alert & { area: Area })[] = [
    { code: 'checksDown', count: counts.checksDown, tone: 'danger', area: 'monitoring', screen: 'PlatformMonitoring' },
    {
      code: 'failedMessages',
      count: counts.failedMessages,
      tone: 'danger',
      area: 'monitoring',
      screen: null,
    },
    {
      code: 'stuckMessages',
      count: counts.stuckMessages,
      tone: 'danger',
      area: 'monitoring',
      screen: 'PlatformMonitoring',
    },
    { code: 'deadEvents', count: counts.deadEvents, tone: 'danger', area: 'monitoring', screen: null },
    { code: 'strandedEvents', count: counts.strandedEvents, tone: 'warning', area: 'monitoring', screen: null },
    { code: 'failedJobs', count: counts.failedJobs, tone: 'danger', area: 'monitoring', screen: null },
    {
      code: 'reusedTokens',
      count: counts.reusedTokens,
      tone: 'warning',
      area: 'applications',
      ...(holdsMethod(viewer, 'history.read')
        ? { screen: 'PlatformHistory', filter: { entity: 'oidcClients', param: 'reused' } }
        : { screen: 'PlatformApplications' }),
    },
    {
      code: 'smsNotReady',
      count: smsReady() ? 0 : counts.smsSchemas,
      tone: 'danger',
      area: 'authentication-schemas',
      screen: 'PlatformAuthenticationSchemas',
    },
    {
      code: 'whitelistEnds',
      count: counts.whitelistEnds,
      tone: 'warning',
      area: 'access-lists',
      screen: 'PlatformWhitelist',
    },
    { code: 'failedSyncs', count: counts.failedSyncs, tone: 'danger', area: 'providers', screen: 'PlatformProviders' },
    {
      code: 'partialSyncs',
      count: counts.partialSyncs,
      tone: 'warning',
      area: 'providers',
      screen: 'PlatformProviders',
    },
    {
      code: 'failedExchanges',
      count: counts.failedExchanges,
      tone: 'danger',
      area: 'integration',
      screen: 'PlatformIntegrationMonitoring',
      filter: { status: 'error' },
    },
    {
      code: 'partialExchanges',
      count: counts.partialExchanges,
      tone: 'warning',
      area: 'integration',
      screen: 'PlatformIntegrationSynchronization',
    },
    { code: 'muteDomains', count: counts.muteDomains, tone: 'warning', area: 'domains', screen: 'PlatformDomains' },
    {
      code: 'untranslatedAgreements',
      count: counts.untranslatedAgreements,
      tone: 'warning',
      area: 'libraries',
      screen: 'PlatformLibrariesDocuments',
    },
    {
      code: 'temporaryAdministrators',
      count: counts.temporaryAdministrators,
      tone: 'warning',
      area: 'users',
      screen: 'PlatformUsers',
    },
    {
      code: 'oneAdministrator',
      count: counts.namedAdministrators === 1 ? 1 : 0,
      tone: 'warning',
      area: 'users',
      screen: 'PlatformUsers',
    },
    {
      code: 'waitingRequests',
      count: counts.waitingRequests,
      tone: 'info',
      area: 'users',
      // without the method to decide, the alert has no link
      screen: holdsMethod(viewer, 'masterAccountAccess') ? 'UserProfileAccessRequests' : null,
    },
    {
      code: 'weakSettings',
      count: counts.weak.length,
      tone: 'info',
      area: 'settings',
      screen: 'PlatformSettingsBase',
      settings: counts.weak,
    },
    {
      code: 'versionsOutdated',
      count: counts.versions,
      tone: 'info',
      area: 'diagnostics',
      screen: 'PlatformDiagnostics',
    },
    license('licenseExpired', 'expired'),
    license('licenseInvalid', 'invalid'),
    license('licenseSessions', 'sessions'),
    { code: 'mailStays', count: env().SMTP_URL ? 0 : 1, tone: 'info', area: 'monitoring', screen: null },
  ]
  return alerts
    .filter(({ area, count }) => count > 0 && holdsMethod(viewer, `${area}.read`))
    .map(({ area: _, ...alert }) => alert)
}

function figuresOf(viewer: Viewer, counts: FigureCounts): Figure[] {
  const figures: (Figure & { area: Area })[] = [
    {
      code: 'people',
      value: counts.people,
      area: 'users',
      screen: 'PlatformUsers',
      filter: { enabled: 'true' },
    },
    { code: 'active', value: counts.active, area: 'sessions', screen: null, filter: {} },
    {
      code: 'services',
      value: counts.services,
      area: 'applications',
      screen: 'PlatformApplications',
      filter: { enabled: 'true', menuVisible: 'true' },
    },
    {
      code: 'domains',
      value: counts.domains,
      area: 'domains',
      screen: 'PlatformDomains',
      filter: { enabled: 'true', type: 'other' },
    },
  ]
  return figures.filter(({ area }) => holdsMethod(viewer, `${area}.read`)).map(({ area: _, ...figure }) => figure)
}

/** The number beside the overview in the menu: how many alerts it lists. */
export const openAlerts: Counter<AlertCounts> = {
  cache: 'overview',
  load: () => alertCountsFor(new Date()),
  count: (counts, viewer) => alertsOf(viewer, counts).length,
}

/** The figures, which take long to count with many accounts: only the overview itself reads them. */
const figureCounts = {
  cache: 'overview:figures',
  load: () => {
    const now = new Date()
    return selectFigures({ active: new Date(now.getTime() - activeFor), now })
  },
}

/**
 * Returns alerts and figures for an administrator, at most some seconds old: those that the viewer may see. Throws 403
 * for people without the read method of any area.
 */
export async function overview(viewer: Viewer): Promise<{ matters: Alert[]; figures: Figure[] }> {
  if (!isOpenTo({ area: 'any' }, viewer.methods)) throw new AppError(403)
  // the number in the menu is counted from the same cached alerts
  const [alerts, figures] = await Promise.all([loaded(openAlerts), loaded(figureCounts)])
  return { matters: alertsOf(viewer, alerts), figures: figuresOf(viewer, figures) }
}
