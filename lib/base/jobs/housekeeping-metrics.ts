import { Gauge } from 'prom-client'
import { db } from '@/db/client'
import { housekeepingSteps } from '@/db/schema/operations'
import { metrics } from '../runtime/metrics'

type Step = typeof housekeepingSteps.$inferSelect

/** Adds a gauge with a value for each housekeeping step. Every process of a cluster reads the same rows. */
function addStepGauge(metric: string, help: string, read: (step: Step) => number | undefined) {
  const { registry } = metrics()
  if (registry.getSingleMetric(metric)) return
  const gauge = new Gauge({
    name: metric,
    help,
    labelNames: ['step'] as const,
    registers: [registry],
    aggregator: 'max',
    async collect() {
      // a process without its database still reports its other metrics
      const rows = await db()
        .select()
        .from(housekeepingSteps)
        .catch(() => [])
      gauge.reset()
      for (const row of rows) {
        const value = read(row)
        if (value !== undefined) gauge.set({ step: row.name }, value)
      }
    },
  })
}

/** Adds to the metrics of the process how often each housekeeping step has failed, and when it last succeeded. */
export function addHousekeepingMetrics() {
  addStepGauge('platform_housekeeping_failures', 'How often a step of housekeeping has failed', (step) => step.failures)
  addStepGauge('platform_housekeeping_done_timestamp_seconds', 'When a step of housekeeping was done last', (step) =>
    step.doneAt ? step.doneAt.getTime() / 1000 : undefined,
  )
}
