import type { JobHelpers } from 'graphile-worker'
import { expireInvitations } from '@/lib/entry/invitations/expire'
import { removeOldLinks } from '@/lib/entry/links/service'
import { deliverRecoveryLinks } from '@/lib/entry/passwords/deliver-recovery'
import { deliverRegistrationMail } from '@/lib/entry/registration/deliver-link'
import { endExpiredSessions } from '@/lib/entry/sessions/expire'
import { deliverSignInCode } from '@/lib/entry/sign-in/deliver-code'
import { tidySignIn } from '@/lib/entry/sign-in/housekeeping'
import { removeOldKeys } from '@/lib/kernel/http/idempotency'
import type { TaskName, TaskPayloads } from '@/lib/kernel/jobs'
import { deliverMessage } from '@/lib/kernel/messages/deliver'
import { tidyMessages } from '@/lib/kernel/messages/housekeeping'
import { rotateKeys } from '@/lib/oidc/keys/service'
import { endProviderSession, tidyLogouts } from '@/lib/oidc/logout/service'
import { deliverLogout } from '@/lib/oidc/provider/back-channel'
import { tidyRecords } from '@/lib/oidc/records/service'
import { sendDueDigests, tidyDigests } from '@/lib/platform/sender/digests'

/** Since when a job that comes again may have done its work, in a process that died before it could say so. */
const repeatOf = ({ attempts, created_at }: JobHelpers['job']) => (attempts > 1 ? created_at : null)

/** What the worker runs, by task name. A task that throws comes again later. */
export const taskList: { [K in TaskName]: (payload: TaskPayloads[K], helpers: JobHelpers) => Promise<void> } = {
  message: async ({ id }, { job }) => {
    await deliverMessage(id, { lastTry: job.attempts >= job.max_attempts })
  },
  signInCode: (payload) => deliverSignInCode(payload),
  recoveryLinks: (payload, { job }) => deliverRecoveryLinks(payload, repeatOf(job)),
  registrationMail: (payload, { job }) => deliverRegistrationMail(payload, repeatOf(job)),
  oidcSessionEnded: ({ uid }) => endProviderSession(uid),
  backchannelLogout: ({ id }, { job }) => deliverLogout(id, { lastTry: job.attempts >= job.max_attempts }),
  digests: () => sendDueDigests(new Date()),
  housekeeping: async () => {
    await endExpiredSessions(new Date())
    await tidySignIn()
    await expireInvitations()
    await removeOldLinks()
    await removeOldKeys()
    await tidyMessages()
    await tidyDigests()
    await tidyRecords(new Date())
    await tidyLogouts(new Date())
    await rotateKeys(new Date())
  },
}

/** In graphile-worker's crontab form, in UTC: 9:00 in Moscow is 6:00. Digests that a stopped worker missed come late. */
export const crontab = ['*/10 * * * * housekeeping ?max=3', '0 6 * * * digests ?fill=12h&max=5'].join('\n')
