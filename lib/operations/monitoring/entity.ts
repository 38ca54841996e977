import { exportFields } from '@/lib/kernel/export/fields'
import { choice, defineEntity, references, text } from '@/lib/kernel/record/entity'

/** An export of the monitoring: what it was filtered by, and how many rows left. */
export const monitoringExportEntity = defineEntity(
  'monitoring-export',
  {
    ...exportFields,
    applications: references('monitoring.applications', 'applications'),
    status: choice('monitoring.status', ['up', 'down'], 'monitoring.statuses'),
    key: text('monitoring.key'),
  },
  { area: 'monitoring' },
)
