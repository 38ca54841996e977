import { db } from '@/db/client'
import { housekeepingSteps } from '@/db/schema/operations'
import { addSharedGauge } from '../cache/shared-gauge'

type Step = typeof housekeepingSteps.$inferSelect

/** Adds a gauge with a value for each housekeeping step. */
const addStepGauge = (name: string, help: string, numberOf: (step: Step) => number | undefined) =>
  addSharedGauge({
    name,
    help,
    labelNames: ['step'],
    read: async () =>
      (await db().select().from(housekeepingSteps)).flatMap((step) => {
        const value = numberOf(step)
        return value === undefined ? [] : [{ labels: { step: step.name }, value }]
      }),
  })

/** Adds to the metrics of the process how often each housekeeping step has failed, and when it last succeeded. */
export function addHousekeepingMetrics() {
  addStepGauge('platform_housekeeping_failures', 'How often a step of housekeeping has failed', (step) => step.failures)
  addStepGauge('platform_housekeeping_done_timestamp_seconds', 'When a step of housekeeping was done last', (step) =>
    step.doneAt ? step.doneAt.getTime() / 1000 : undefined,
  )
}
