import { providerMapperAbsent, providerMapperType } from '@/db/schema/providers'
import { choice, defineEntity, list, text, yesNo } from '@/lib/base/audit/entity'

export const providerMapperEntity = defineEntity(
  'provider-mappers',
  {
    type: choice('provider-mappers.type', providerMapperType.enumValues, 'provider-mappers.types'),
    enabled: yesNo('provider-mappers.enabled'),
    name: text('provider-mappers.name'),
    before: text('provider-mappers.before'),
    after: text('provider-mappers.after'),
    customAttributes: yesNo('provider-mappers.customAttributes'),
    absent: choice('provider-mappers.absent', providerMapperAbsent.enumValues, 'provider-mappers.absentWays'),
    /** Pairs of values, as `before → after`. */
    attributes: list<string>('provider-mappers.attributes'),
  },
  { area: 'providers' },
)
