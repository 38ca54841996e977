import { keepOfferedSignIn } from '@/lib/access/rights/last-administrator'
import { webhookHandlers } from '@/lib/applications/webhooks/send-event'
import { onInvalidated } from '@/lib/base/cache/cache'
import { notifyAccountChanged } from '@/lib/base/cache/live-events'
import { composeHandlers, onDelivered, onDeliveredToGroup, onEvent } from '@/lib/base/events/handlers'
import { registerBadge } from '@/lib/base/frame/badges'
import { registerHeaderWarning } from '@/lib/base/frame/header-warnings'
import { setDomainTextsSource, setOwnTextsSource } from '@/lib/base/i18n/own-texts'
import { addChecks } from '@/lib/base/runtime/monitoring'
import { moveMergedRequests } from '@/lib/companies/access-requests/merged'
import { waitingRequests } from '@/lib/companies/access-requests/service'
import { acceptByRegistration } from '@/lib/joining/invitations/auto-success'
import { moveMerged } from '@/lib/joining/invitations/merged'
import { openInvitations } from '@/lib/joining/received-invitations/service'
import { ownTextsOf } from '@/lib/messaging/locale-texts/own'
import { domainTextsOf } from '@/lib/messaging/message-texts/own'
import { smsSender, textedEvents } from '@/lib/my-account/subscriptions/sms'
import { noticedEvents, noticeWriter } from '@/lib/news/notifications/write'
import { diagnosticsCounts, platformUpdate } from '@/lib/operations/diagnostics/service'
import { licenseChecks } from '@/lib/operations/license/service'
import { monitoringCounts } from '@/lib/operations/monitoring/service'
import { openAlerts } from '@/lib/operations/overview/service'
import { endSessionsOfProvider } from '@/lib/sign-in/sessions/by-provider'
import { endUserSessions, invalidateSessionsOf } from '@/lib/sign-in/sessions/service'

/** The caches whose values are in the frame of everybody's pages. */
const frameCaches = ['settings', 'applications', 'domains', 'project-info', 'locales', 'locale-texts', 'dynamic-fields']

let composed = false

/**
 * Registers the handlers and counters of every subject. Each process that runs service functions (server, worker,
 * commands, tests) calls this before it builds a context or takes a task. A second call does nothing.
 */
export function compose(): void {
  if (composed) return
  composeHandlers(() => {
    onEvent('userDisabled', (tx, ctx, { userId }) => endUserSessions(tx, ctx, userId, 'disabled'))
    onEvent('accountCreated', acceptByRegistration)
    onEvent('accountDeleted', async (tx, _, { userId }) => {
      // pages load this file, and the OpenID Provider is large
      const { endAccountRecords } = await import('@/lib/openid/token-store/service')
      await endAccountRecords(tx, userId)
      return undefined
    })
    onEvent('providerDeleted', async (tx, ctx, { providerId }) => {
      const allSessions = { providerId, subject: null, sid: null }
      return (await endSessionsOfProvider(tx, ctx, allSessions, 'providerDeleted')).afterCommit
    })
    onEvent('contractorsMerged', moveMerged)
    onEvent('contractorsMerged', moveMergedRequests)
    onEvent('identifiersLimited', keepOfferedSignIn)
    onEvent('rightsChanged', (tx, ctx, { userIds }) => invalidateSessionsOf(tx, userIds, ctx.now()))
    for (const name of noticedEvents) onDelivered(name, 'notices', noticeWriter(name))
    onDeliveredToGroup('webhook', webhookHandlers)
    for (const name of textedEvents) onDelivered(name, 'subscribed-sms', smsSender(name))
  })
  setOwnTextsSource(ownTextsOf)
  setDomainTextsSource(domainTextsOf)
  // the menu imports no subject above it, so each subject registers its counter
  registerBadge('Platform', openAlerts)
  registerBadge('UserProfileAccessRequests', waitingRequests)
  registerBadge('UserProfileInvitationsRequests', openInvitations)
  // pages load this file, and the client of the mail server is large
  const checks = () => import('@/lib/operations/monitoring/checks')
  addChecks('platform', async () => (await checks()).ownChecks())
  addChecks('applications', async () => (await checks()).applicationChecks())
  addChecks('providers', async () => (await import('@/lib/identity-providers/connections/checks')).providerChecks())
  addChecks('license', licenseChecks)
  const warningOf = ({ errorCount }: { errorCount: number }) => (errorCount > 0 ? { count: errorCount } : null)
  registerHeaderWarning('monitoring', {
    method: 'monitoringNotifyAccess',
    load: async () => warningOf(await monitoringCounts()),
  })
  registerHeaderWarning('diagnostics', {
    method: 'diagnosticsNotifyAccess',
    load: async () => warningOf(await diagnosticsCounts()),
  })
  registerHeaderWarning('update', {
    method: 'diagnosticsApplicationsNotifyAccess',
    load: async () => {
      const { version, recommendVersion, older } = platformUpdate()
      return older ? { count: 1, version, recommended: recommendVersion } : null
    },
  })
  for (const name of frameCaches) onInvalidated(name, () => notifyAccountChanged(null))
  composed = true
}
