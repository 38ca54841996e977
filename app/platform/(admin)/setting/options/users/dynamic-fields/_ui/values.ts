import type { BodyOf } from '@/components/form/field-name'
import type { createDynamicField } from '@/lib/fields/dynamic-fields/contract'
import { hasItems, hasText } from '@/lib/fields/dynamic-fields/rules'
import type { FieldType } from '@/lib/fields/values/definition'
import type { Field } from './read-fields'

/** The values of a field's form. */
export type Values = Omit<BodyOf<typeof createDynamicField>, 'type'>

/** Returns the values of a new field; its block is the first of the tab. */
export const emptyField = (subtype: string): Values => ({
  ...{ subtype, code: '', title: '', titleEn: '', comment: '', active: true, fieldType: 'input' as FieldType },
  ...{ adminVisible: true, adminEdit: true, adminRequired: false },
  ...{ profileVisible: false, profileEdit: false, profileRequired: false, integrationRequired: false },
  ...{ unique: false, multiple: false, pattern: '', minLength: null, maxLength: null, latin: false, items: [] },
})

/** Returns the values of a stored field. */
export function valuesOf(field: Field): Values & { updatedAt: string } {
  const { id: _, type: __, order: ___, systemic: ____, immutable: _____, actionsAccess: ______, ...own } = field
  return {
    ...own,
    titleEn: own.titleEn ?? '',
    pattern: own.pattern ?? '',
    items: own.items.map(({ order: _, ...item }) => item),
  }
}

/** Returns the values as they are sent: those that the chosen type doesn't have were hidden, and are left out. */
export function sentValues<V extends Values>(values: V): V {
  const { fieldType, items, pattern } = values
  return {
    ...values,
    items: hasItems({ fieldType }) ? items : [],
    ...(hasText({ fieldType })
      ? { pattern: pattern || null }
      : { pattern: null, minLength: null, maxLength: null, latin: false }),
  }
}
