import type { JobHelpers, TaskList } from 'graphile-worker'
import { z } from 'zod'
import { replaySpan } from '@/lib/applications/webhooks/replay'
import { processRows } from '@/lib/base/batch-jobs/process-rows'
import { deliver } from '@/lib/base/events/delivery/deliver'
import { taskOf } from '@/lib/base/events/delivery/store'
import { deliverySubscriptions, groupNames } from '@/lib/base/events/handlers'
import { runHousekeeping } from '@/lib/base/jobs/housekeeping'
import type { TaskName, TaskPayloads } from '@/lib/base/jobs/jobs'
import { sendQueuedMessage } from '@/lib/base/mail-and-sms/send-message'
import { startDueSyncs } from '@/lib/directory-sync/provider-sync/start'
import { startDueExchanges } from '@/lib/exchanges/exchanges/start'
import { deliverRegistrationMail } from '@/lib/joining/registration/deliver-link'
import { sendDueDigests } from '@/lib/messaging/sender/digests'
import { notifyOrWithdraw } from '@/lib/news/news/tell'
import { endOpenIdSession } from '@/lib/openid/logout/service'
import { sendLogoutNotice } from '@/lib/openid/server/back-channel'
import { extendHistoryChain } from '@/lib/operations/history-chain/seal'
import { runDueChecks } from '@/lib/operations/monitoring/run'
import { deliverSignInCode } from '@/lib/sign-in/attempts/deliver-code'
import { deliverRecoveryLinks } from '@/lib/sign-in/passwords/deliver-recovery'
import { compose } from './compose'
import { platformHousekeeping } from './housekeeping'
import { batchKinds } from './runs'

compose()

/** The delivery queue of a job; earlier versions stored it without a handler. */
const QueueKey = z.object({ handler: z.string().optional(), entity: z.string(), entityId: z.string() })

/**
 * Returns the time of a job's first attempt; null if this is the first one. An earlier attempt may have done the work
 * in a process that died before it reported so.
 */
const repeatOf = ({ attempts, created_at }: JobHelpers['job']) => (attempts > 1 ? created_at : null)

/** The functions of the worker, by task name. A job whose function throws is tried again later. */
export const taskList: { [K in TaskName]: (payload: TaskPayloads[K], helpers: JobHelpers) => Promise<void> } = {
  message: async ({ id }, { job }) => {
    await sendQueuedMessage(id, { lastTry: job.attempts >= job.max_attempts })
  },
  signInCode: (payload) => deliverSignInCode(payload),
  recoveryLinks: (payload, { job }) => deliverRecoveryLinks(payload, repeatOf(job)),
  registrationMail: (payload, { job }) => deliverRegistrationMail(payload, repeatOf(job)),
  oidcSessionEnded: ({ uid }) => endOpenIdSession(uid),
  backchannelLogout: ({ id }, { job }) => sendLogoutNotice(id, { lastTry: job.attempts >= job.max_attempts }),
  digests: () => sendDueDigests(new Date()),
  sealHistory: (_, { abortSignal }) => extendHistoryChain({ stop: abortSignal }),
  monitoring: () => runDueChecks(),
  news: (payload) => notifyOrWithdraw(payload),
  run: ({ id }, { abortSignal }) => processRows(batchKinds, id, abortSignal),
  providerSyncs: () => startDueSyncs(new Date()),
  integrationSyncs: () => startDueExchanges(new Date()),
  webhookReplay: (payload, { abortSignal }) => replaySpan(payload, abortSignal),
  housekeeping: (_, { job }) => runHousekeeping(platformHousekeeping, repeatOf(job)),
}

/** The tasks that deliver events: one for each handler and each subscriber group that is registered in this process. */
const deliveryTasks = (): TaskList =>
  Object.fromEntries(
    [...deliverySubscriptions().map(({ handler }) => handler), ...groupNames()].map((handlerOrGroup) => [
      taskOf(handlerOrGroup),
      async (payload, { abortSignal }) => {
        // a job of an earlier version has no handler
        const { handler = handlerOrGroup, ...object } = QueueKey.parse(payload)
        await deliver({ handler, ...object }, { stop: abortSignal })
      },
    ]),
  )

/** Returns every task that a worker of this version runs. */
export const allTasks = (): TaskList => ({ ...(taskList as TaskList), ...deliveryTasks() })

/**
 * The schedule in the form of graphile-worker, in UTC: 6:00 is 9:00 in Moscow. A worker that was stopped sends missed
 * digests later.
 */
export const crontab = [
  '* * * * * sealHistory ?max=1',
  '* * * * * monitoring ?max=1',
  '* * * * * providerSyncs ?max=1',
  '* * * * * integrationSyncs ?max=1',
  '*/10 * * * * housekeeping ?max=3',
  '0 6 * * * digests ?fill=12h&max=5',
].join('\n')
