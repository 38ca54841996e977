import { choice, defineEntity, number, records, text, yesNo } from '@/lib/base/audit/entity'
import { fieldTypes } from '../values/definition'

const area = 'dynamic-fields' as const

export const dynamicFieldTabEntity = defineEntity(
  'dynamic-field-tabs',
  {
    type: text('dynamic-fields.record.type'),
    title: text('dynamic-fields.record.title'),
    titleEn: text('dynamic-fields.record.titleEn'),
    active: yesNo('dynamic-fields.record.active'),
    order: number('dynamic-fields.record.order'),
  },
  { area },
)

export const dynamicFieldSubtypeEntity = defineEntity(
  'dynamic-field-subtypes',
  {
    code: text('dynamic-fields.record.code'),
    title: text('dynamic-fields.record.title'),
    titleEn: text('dynamic-fields.record.titleEn'),
    tabId: text('dynamic-fields.record.tab'),
    active: yesNo('dynamic-fields.record.active'),
    order: number('dynamic-fields.record.order'),
  },
  { area },
)

export const dynamicFieldEntity = defineEntity('dynamic-fields', {
  type: text('dynamic-fields.record.type'),
  subtype: text('dynamic-fields.record.subtype'),
  code: text('dynamic-fields.record.code'),
  title: text('dynamic-fields.record.title'),
  titleEn: text('dynamic-fields.record.titleEn'),
  comment: text('dynamic-fields.record.comment'),
  active: yesNo('dynamic-fields.record.active'),
  order: number('dynamic-fields.record.order'),
  fieldType: choice('dynamic-fields.record.fieldType', fieldTypes, 'dynamic-fields.fieldTypes'),
  adminRequired: yesNo('dynamic-fields.record.adminRequired'),
  adminVisible: yesNo('dynamic-fields.record.adminVisible'),
  adminEdit: yesNo('dynamic-fields.record.adminEdit'),
  profileRequired: yesNo('dynamic-fields.record.profileRequired'),
  profileVisible: yesNo('dynamic-fields.record.profileVisible'),
  profileEdit: yesNo('dynamic-fields.record.profileEdit'),
  integrationRequired: yesNo('dynamic-fields.record.integrationRequired'),
  unique: yesNo('dynamic-fields.record.unique'),
  multiple: yesNo('dynamic-fields.record.multiple'),
  pattern: text('dynamic-fields.record.pattern'),
  minLength: number('dynamic-fields.record.minLength'),
  maxLength: number('dynamic-fields.record.maxLength'),
  latin: yesNo('dynamic-fields.record.latin'),
  items: records<{ id: string; code: string; value: string; valueEn?: string; order: number }>(
    'dynamic-fields.record.items',
    'code',
    {
      code: text('dynamic-fields.record.code'),
      value: text('dynamic-fields.record.title'),
      valueEn: text('dynamic-fields.record.titleEn'),
      order: number('dynamic-fields.record.order'),
    },
  ),
})
