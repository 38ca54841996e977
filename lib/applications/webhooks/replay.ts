import { db } from '@/db/client'
import { redeliverEvents } from '@/lib/base/events/delivery/store'
import { enqueue, type TaskPayloads } from '@/lib/base/jobs/jobs'
import { platformSettings } from '@/lib/site/settings/service'
import { deleteOldDeliveries, webhookRows } from './queries'
import { handlerOf } from './send-event'
import { topicsOf } from './types'

/** How many events one statement delivers again, and how many statements a job has. */
const [eventsAtOnce, mostBatches] = [500, 20]

/**
 * Delivers the events of a time span to a webhook once more; after ten thousand events another job continues. A webhook
 * that is disabled or deleted by then gets none.
 */
export async function replaySpan(payload: TaskPayloads['webhookReplay'], stop?: AbortSignal): Promise<void> {
  const { webhookId, from, to } = payload
  const webhook = await webhookRows.select(webhookId)
  if (!webhook?.enabled) return
  const span = { from: new Date(from), to: new Date(to), topics: topicsOf(webhook.types) }
  let { after } = payload
  for (let batch = 0; batch < mostBatches && !stop?.aborted; batch++) {
    const last = await redeliverEvents(handlerOf(webhookId), span, after, eventsAtOnce)
    if (last === null) return
    after = last
  }
  await enqueue(db(), 'webhookReplay', { webhookId, from, to, after })
}

/** Deletes rows of the logs of webhooks that are older than the setting says (docs/rules/webhooks.md#log). */
export async function tidyWebhooks(now: Date): Promise<void> {
  const { integrationLogRetention } = await platformSettings()
  await deleteOldDeliveries(new Date(now.getTime() - integrationLogRetention * 86_400_000))
}
