import { address, defineEntity, list, reference, secret, text, yesNo } from '@/lib/base/audit/entity'

export const webhookEntity = defineEntity(
  'webhooks',
  {
    applicationId: reference('webhooks.application', 'applications'),
    name: text('webhooks.name'),
    url: address('webhooks.url'),
    types: list<string>('webhooks.types'),
    enabled: yesNo('webhooks.enabled'),
    secret: secret('webhooks.secret'),
  },
  { area: 'applications' },
)
