import { holdsMethod } from '@/lib/kernel/access'
import type { Area } from '@/lib/kernel/access-methods'
import type { CtxUser } from '@/lib/kernel/ctx'
import { env } from '@/lib/kernel/env'
import { AppError } from '@/lib/kernel/errors'
import { smsReady } from '@/lib/kernel/messages/transports'
import { type Counter, loaded } from '@/lib/kernel/navigation/badges'
import { isOpenTo } from '@/lib/kernel/navigation/screens'
import { platformSettings } from '@/lib/platform/settings/service'
import { standing } from './queries'

export type Matter = {
  code:
    | 'temporaryAdministrators'
    | 'oneAdministrator'
    | 'failedMessages'
    | 'stuckMessages'
    | 'deadEvents'
    | 'strandedEvents'
    | 'smsNotReady'
    | 'muteDomains'
    | 'untranslatedAgreements'
    | 'mailStays'
  count: number
  tone: 'danger' | 'warning' | 'info'
  /** The page where it is mended, by name; the page may not be there yet. */
  screen: string | null
}
export type Figure = { code: 'people' | 'active' | 'services' | 'domains'; value: number; screen: string | null }

type Viewer = Pick<CtxUser, 'methods'>

const minute = 60_000
const day = 24 * 60 * minute
/** Whoever was seen within this time counts as active (docs/rules/administration-screens.md#overview). */
const activeFor = 15 * minute

async function standingAt(now: Date) {
  const { monitoringStuckAfter } = await platformSettings()
  const before = (ms: number) => new Date(now.getTime() - ms)
  return standing({ failed: before(day), stuck: before(monitoringStuckAfter * 1000), active: before(activeFor), now })
}

type Standing = Awaited<ReturnType<typeof standingAt>>

/** What an administrator with these methods should look after, the worst first. */
function mattersOf(viewer: Viewer, stands: Standing): Matter[] {
  const all: (Matter & { area: Area })[] = [
    {
      code: 'failedMessages',
      count: stands.failedMessages,
      tone: 'danger',
      area: 'monitoring',
      screen: 'PlatformMonitoring',
    },
    {
      code: 'stuckMessages',
      count: stands.stuckMessages,
      tone: 'danger',
      area: 'monitoring',
      screen: 'PlatformMonitoring',
    },
    { code: 'deadEvents', count: stands.deadEvents, tone: 'danger', area: 'monitoring', screen: null },
    { code: 'strandedEvents', count: stands.strandedEvents, tone: 'warning', area: 'monitoring', screen: null },
    {
      code: 'smsNotReady',
      count: smsReady() ? 0 : stands.smsSchemas,
      tone: 'danger',
      area: 'authentication-schemas',
      screen: 'PlatformAuthenticationSchemas',
    },
    { code: 'muteDomains', count: stands.muteDomains, tone: 'warning', area: 'domains', screen: 'PlatformDomains' },
    {
      code: 'untranslatedAgreements',
      count: stands.untranslatedAgreements,
      tone: 'warning',
      area: 'libraries',
      screen: 'PlatformLibrariesDocuments',
    },
    {
      code: 'temporaryAdministrators',
      count: stands.temporaryAdministrators,
      tone: 'warning',
      area: 'users',
      screen: 'PlatformUsers',
    },
    {
      code: 'oneAdministrator',
      count: stands.namedAdministrators === 1 ? 1 : 0,
      tone: 'warning',
      area: 'users',
      screen: 'PlatformUsers',
    },
    { code: 'mailStays', count: env().SMTP_URL ? 0 : 1, tone: 'info', area: 'monitoring', screen: null },
  ]
  return all
    .filter(({ area, count }) => count > 0 && holdsMethod(viewer, `${area}.read`))
    .map(({ area: _, ...matter }) => matter)
}

function figuresOf(viewer: Viewer, stands: Standing): Figure[] {
  const all: (Figure & { area: Area })[] = [
    { code: 'people', value: stands.people, area: 'users', screen: 'PlatformUsers' },
    { code: 'active', value: stands.active, area: 'sessions', screen: null },
    { code: 'services', value: stands.services, area: 'applications', screen: 'PlatformApplications' },
    { code: 'domains', value: stands.domains, area: 'domains', screen: 'PlatformDomains' },
  ]
  return all.filter(({ area }) => holdsMethod(viewer, `${area}.read`)).map(({ area: _, ...figure }) => figure)
}

/** How many of them are more than a remark: the number beside the overview in the menu. */
export const openMatters: Counter<Standing> = {
  cache: 'overview',
  load: () => standingAt(new Date()),
  count: (stands, viewer) => mattersOf(viewer, stands).filter(({ tone }) => tone !== 'info').length,
}

/**
 * What needs an administrator, and how much there is of what, as of some seconds ago at most; each only for whoever
 * may see it. Throws 403 for others.
 */
export async function overview(viewer: Viewer): Promise<{ matters: Matter[]; figures: Figure[] }> {
  if (!isOpenTo({ area: 'any' }, viewer.methods)) throw new AppError(403)
  // the same reading as the menu's number beside it
  const stands = await loaded(openMatters)
  return { matters: mattersOf(viewer, stands), figures: figuresOf(viewer, stands) }
}
