import { expireInvitations } from '@/lib/entry/invitations/expire'
import { removeOldLinks } from '@/lib/entry/links/service'
import { endExpiredSessions } from '@/lib/entry/sessions/expire'
import { tidySignIn } from '@/lib/entry/sign-in/housekeeping'
import { tidyEvents, wakeDeliveries } from '@/lib/kernel/delivery/housekeeping'
import type { HousekeepingSteps } from '@/lib/kernel/housekeeping'
import { removeOldKeys } from '@/lib/kernel/http/idempotency'
import { tidyMessages } from '@/lib/kernel/messages/housekeeping'
import { rotateKeys } from '@/lib/oidc/keys/service'
import { tidyLogouts } from '@/lib/oidc/logout/service'
import { tidyRecords } from '@/lib/oidc/records/service'
import { recordRefusals } from '@/lib/platform/access-lists/refusals'
import { tidyDigests } from '@/lib/platform/sender/digests'
import { platformSettings } from '@/lib/platform/settings/service'

/** Interactions that were completed before this are not kept any longer. */
async function completedBefore(now: Date): Promise<Date> {
  const { interactionRetention } = await platformSettings()
  return new Date(now.getTime() - interactionRetention * 86_400_000)
}

/** What is done every ten minutes, by the name under which it is logged and counted: it stays. */
export const housekeepingSteps: HousekeepingSteps = {
  sessions: endExpiredSessions,
  signIn: async (now) => tidySignIn(await completedBefore(now)),
  invitations: expireInvitations,
  links: async (now) => removeOldLinks(await completedBefore(now)),
  idempotencyKeys: removeOldKeys,
  messages: tidyMessages,
  digests: tidyDigests,
  oidcRecords: tidyRecords,
  oidcLogouts: async (now) => tidyLogouts(await completedBefore(now)),
  refusals: recordRefusals,
  oidcKeys: rotateKeys,
  events: tidyEvents,
  deliveries: wakeDeliveries,
}
