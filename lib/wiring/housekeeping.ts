import { tidyWebhooks } from '@/lib/applications/webhooks/replay'
import { tidyBatchJobs } from '@/lib/base/batch-jobs/batch-jobs'
import { rescheduleLateDeliveries, tidyEvents } from '@/lib/base/events/delivery/housekeeping'
import { removeOldIdempotencyKeys } from '@/lib/base/http/idempotency'
import type { HousekeepingSteps } from '@/lib/base/jobs/housekeeping'
import { removeDeadJobs } from '@/lib/base/jobs/jobs'
import { tidyMessages } from '@/lib/base/mail-and-sms/housekeeping'
import { inBatches } from '@/lib/base/postgres/batches'
import { tidySyncs } from '@/lib/directory-sync/provider-sync/start'
import { tidyIntegration } from '@/lib/exchanges/exchanges/start'
import { tidyFieldPictures } from '@/lib/fields/field-pictures/service'
import { expireInvitations, removeOldInvitations } from '@/lib/joining/invitations/expire'
import { tidyDigests } from '@/lib/messaging/sender/digests'
import { recordRefusals } from '@/lib/network/access-lists/refusals'
import { tidyNotices } from '@/lib/news/notifications/write'
import { rotateKeys } from '@/lib/openid/keys/service'
import { tidyLogouts } from '@/lib/openid/logout/service'
import { tidyRecords } from '@/lib/openid/token-store/service'
import { refreshOldVersions } from '@/lib/operations/diagnostics/service'
import { removeOldHistory } from '@/lib/operations/history-chain/retention'
import { tidyMonitoring } from '@/lib/operations/monitoring/tidy'
import { tidySignIn } from '@/lib/sign-in/attempts/housekeeping'
import { removeOldLinks } from '@/lib/sign-in/email-links/service'
import { endExpiredSessions } from '@/lib/sign-in/sessions/expire'
import { removeEndedSessions } from '@/lib/sign-in/sessions/retention'
import { tidySignInLog } from '@/lib/sign-in/sign-in-log/service'
import { platformSettings } from '@/lib/site/settings/service'

/** Returns the time before which completed interactions are deleted. */
async function completedBefore(now: Date): Promise<Date> {
  const { interactionRetention } = await platformSettings()
  return new Date(now.getTime() - interactionRetention * 86_400_000)
}

/** Returns the time before which the history is deleted, and data that is stored as long as the history. */
async function historyBefore(now: Date): Promise<Date> {
  const { historyRetention } = await platformSettings()
  return new Date(now.getTime() - historyRetention * 86_400_000)
}

/** The steps that run every ten minutes. Logs and metrics use the names, so they never change. */
export const platformHousekeeping: HousekeepingSteps = {
  sessions: endExpiredSessions,
  endedSessions: async (now) =>
    removeEndedSessions({ ended: await completedBefore(now), kept: await historyBefore(now) }),
  signIn: async (now) => tidySignIn(await completedBefore(now), now),
  signInLog: async (now) => tidySignInLog(await completedBefore(now)),
  invitations: expireInvitations,
  oldInvitations: async (now) => removeOldInvitations(await historyBefore(now)),
  links: async (now) => removeOldLinks(await completedBefore(now)),
  idempotencyKeys: removeOldIdempotencyKeys,
  messages: tidyMessages,
  digests: tidyDigests,
  notices: tidyNotices,
  fieldPictures: tidyFieldPictures,
  oidcRecords: tidyRecords,
  oidcLogouts: async (now) => tidyLogouts(await completedBefore(now)),
  refusals: recordRefusals,
  oidcKeys: rotateKeys,
  events: async (now) => tidyEvents(await historyBefore(now)),
  failedJobs: async (now) => {
    const before = await completedBefore(now)
    await inBatches((limit) => removeDeadJobs(before, limit))
  },
  deliveries: rescheduleLateDeliveries,
  runs: tidyBatchJobs,
  monitoring: tidyMonitoring,
  versions: refreshOldVersions,
  providers: tidySyncs,
  integration: tidyIntegration,
  webhooks: tidyWebhooks,
  history: async (now) => removeOldHistory((await platformSettings()).historyRetention, now),
}
