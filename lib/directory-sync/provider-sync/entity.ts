import { syncPeriodAmount } from '@/db/schema/providers'
import { choice, defineEntity, number, yesNo } from '@/lib/base/audit/entity'

export const providerSyncEntity = defineEntity(
  'provider-syncs',
  {
    enabled: yesNo('provider-sync.enabled'),
    periodUnit: number('provider-sync.periodUnit'),
    periodAmount: choice('provider-sync.periodAmount', syncPeriodAmount.enumValues, 'provider-sync.amounts'),
    syncLimit: number('provider-sync.syncLimit'),
  },
  { area: 'providers' },
)
