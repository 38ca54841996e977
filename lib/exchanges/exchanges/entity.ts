import { integrationAuth } from '@/db/schema/integration'
import { syncPeriodAmount } from '@/db/schema/providers'
import { choice, defineEntity, number, secret, text, yesNo } from '@/lib/base/audit/entity'

export const integrationSyncEntity = defineEntity(
  'integration-syncs',
  {
    enabled: yesNo('integration.enabled'),
    url: text('integration.url'),
    auth: choice('integration.auth', integrationAuth.enumValues, 'integration.auths'),
    authName: text('integration.authName'),
    secret: secret('integration.secret'),
    periodUnit: number('integration.periodUnit'),
    periodAmount: choice('integration.periodAmount', syncPeriodAmount.enumValues, 'integration.amounts'),
    pageSize: number('integration.pageSize'),
  },
  { area: 'integration' },
)
