import { defineEntity, json, text, yesNo } from '@/lib/base/audit/entity'

export const localeEntity = defineEntity(
  'locales',
  {
    name: text('locales.name'),
    code: text('locales.code'),
    enabled: yesNo('locales.enabled'),
    texts: json<Record<string, string | number>>('locales.texts'),
  },
  { area: 'libraries' },
)
