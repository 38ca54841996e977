import { tidyIntegration } from '@/lib/entry/integration/start'
import { expireInvitations, removeOldInvitations } from '@/lib/entry/invitations/expire'
import { removeOldLinks } from '@/lib/entry/links/service'
import { tidySyncs } from '@/lib/entry/provider-sync/start'
import { endExpiredSessions } from '@/lib/entry/sessions/expire'
import { removeEndedSessions } from '@/lib/entry/sessions/retention'
import { tidySignIn } from '@/lib/entry/sign-in/housekeeping'
import { tidySignInLog } from '@/lib/entry/sign-in-log/service'
import { inBatches } from '@/lib/kernel/batches'
import { rescheduleLateDeliveries, tidyEvents } from '@/lib/kernel/delivery/housekeeping'
import type { HousekeepingSteps } from '@/lib/kernel/housekeeping'
import { removeOldKeys } from '@/lib/kernel/http/idempotency'
import { removeGivenUp } from '@/lib/kernel/jobs'
import { tidyMessages } from '@/lib/kernel/messages/housekeeping'
import { tidyRuns } from '@/lib/kernel/runs/runs'
import { rotateKeys } from '@/lib/oidc/keys/service'
import { tidyLogouts } from '@/lib/oidc/logout/service'
import { tidyRecords } from '@/lib/oidc/records/service'
import { refreshOldVersions } from '@/lib/operations/diagnostics/service'
import { tidyMonitoring } from '@/lib/operations/monitoring/tidy'
import { removeOldHistory } from '@/lib/operations/seals/retention'
import { tidyFieldPictures } from '@/lib/people/field-pictures/service'
import { recordRefusals } from '@/lib/platform/access-lists/refusals'
import { tidyDigests } from '@/lib/platform/sender/digests'
import { platformSettings } from '@/lib/platform/settings/service'
import { tidyWebhooks } from '@/lib/platform/webhooks/replay'
import { tidyNotices } from '@/lib/profile/notices/write'

/** Returns the time before which completed interactions are deleted. */
async function completedBefore(now: Date): Promise<Date> {
  const { interactionRetention } = await platformSettings()
  return new Date(now.getTime() - interactionRetention * 86_400_000)
}

/** Returns the time before which the history is deleted, and what is kept for as long. */
async function historyBefore(now: Date): Promise<Date> {
  const { historyRetention } = await platformSettings()
  return new Date(now.getTime() - historyRetention * 86_400_000)
}

/** The steps that run every ten minutes. Logs and metrics use the names, so names never change. */
export const platformHousekeeping: HousekeepingSteps = {
  sessions: endExpiredSessions,
  endedSessions: async (now) =>
    removeEndedSessions({ ended: await completedBefore(now), kept: await historyBefore(now) }),
  signIn: async (now) => tidySignIn(await completedBefore(now), now),
  signInLog: async (now) => tidySignInLog(await completedBefore(now)),
  invitations: expireInvitations,
  oldInvitations: async (now) => removeOldInvitations(await historyBefore(now)),
  links: async (now) => removeOldLinks(await completedBefore(now)),
  idempotencyKeys: removeOldKeys,
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
    await inBatches((limit) => removeGivenUp(before, limit))
  },
  deliveries: rescheduleLateDeliveries,
  runs: tidyRuns,
  monitoring: tidyMonitoring,
  versions: refreshOldVersions,
  providers: tidySyncs,
  integration: tidyIntegration,
  webhooks: tidyWebhooks,
  history: async (now) => removeOldHistory((await platformSettings()).historyRetention, now),
}
