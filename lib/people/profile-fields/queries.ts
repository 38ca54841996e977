import { and, asc, eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { dynamicFieldSubtypes, dynamicFields, dynamicFieldTabs } from '@/db/schema/dynamic-fields'

/** Returns the active fields of the profile's main tab, in the order of the form. */
export const selectActiveProfileFields = () =>
  db()
    .select({
      code: dynamicFields.code,
      title: dynamicFields.title,
      titleEn: dynamicFields.titleEn,
      fieldType: dynamicFields.fieldType,
      items: dynamicFields.items,
      visible: dynamicFields.profileVisible,
      required: dynamicFields.profileRequired,
    })
    .from(dynamicFields)
    .innerJoin(
      dynamicFieldSubtypes,
      and(
        eq(dynamicFieldSubtypes.type, dynamicFields.type),
        eq(dynamicFieldSubtypes.code, dynamicFields.subtype),
        dynamicFieldSubtypes.active,
      ),
    )
    .innerJoin(dynamicFieldTabs, and(eq(dynamicFieldTabs.id, dynamicFieldSubtypes.tabId), dynamicFieldTabs.active))
    .where(and(eq(dynamicFields.type, 'users'), eq(dynamicFieldTabs.id, 'users_main'), dynamicFields.active))
    .orderBy(asc(dynamicFieldSubtypes.order), asc(dynamicFields.order), asc(dynamicFields.code))
