import { and, asc, eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { dynamicFieldSubtypes, dynamicFields, dynamicFieldTabs } from '@/db/schema/dynamic-fields'

/** Returns the active fields of active blocks and tabs, in the order of tabs, blocks and fields. */
export const selectActiveFields = () =>
  db()
    .select({ field: dynamicFields, tab: dynamicFieldTabs, subtype: dynamicFieldSubtypes })
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
    .where(eq(dynamicFields.active, true))
    .orderBy(
      asc(dynamicFields.type),
      asc(dynamicFieldTabs.order),
      asc(dynamicFieldTabs.id),
      asc(dynamicFieldSubtypes.order),
      asc(dynamicFieldSubtypes.code),
      asc(dynamicFields.order),
      asc(dynamicFields.code),
    )
