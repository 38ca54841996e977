import { choice, defineEntity, references, text } from '@/lib/base/audit/entity'
import { exportFields } from '@/lib/base/export/fields'

/** An export of the monitoring: its filters, and the number of rows exported. */
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
