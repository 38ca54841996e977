import type { JobHelpers } from 'graphile-worker'
import { expireInvitations } from '@/lib/entry/invitations/expire'
import { removeOldLinks } from '@/lib/entry/links/service'
import { deliverRecoveryLinks } from '@/lib/entry/passwords/deliver-recovery'
import { deliverRegistrationMail } from '@/lib/entry/registration/deliver-link'
import { deliverSignInCode } from '@/lib/entry/sign-in/deliver-code'
import { tidySignIn } from '@/lib/entry/sign-in/housekeeping'
import { removeOldKeys } from '@/lib/kernel/http/idempotency'
import type { TaskName, TaskPayloads } from '@/lib/kernel/jobs'
import { deliverMessage } from '@/lib/kernel/messages/deliver'

/** What the worker runs, by task name. A task that throws comes again later. */
export const taskList: { [K in TaskName]: (payload: TaskPayloads[K], helpers: JobHelpers) => Promise<void> } = {
  message: ({ id }, { job }) => deliverMessage(id, { lastTry: job.attempts >= job.max_attempts }),
  signInCode: (payload) => deliverSignInCode(payload),
  recoveryLinks: (payload) => deliverRecoveryLinks(payload),
  registrationMail: (payload) => deliverRegistrationMail(payload),
  housekeeping: async () => {
    await tidySignIn()
    await expireInvitations()
    await removeOldLinks()
    await removeOldKeys()
  },
}

/** In graphile-worker's crontab form. */
export const crontab = '*/10 * * * * housekeeping ?max=3'
