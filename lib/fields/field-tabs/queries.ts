import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { rowsById } from '@/db/rows'
import { dynamicFieldSubtypes, dynamicFieldTabs } from '@/db/schema/dynamic-fields'

type NewTab = typeof dynamicFieldTabs.$inferInsert

/** Stores a tab behind the last one of its type. Returns false if its id is taken. */
export async function insertTab(tx: Transaction, tab: NewTab): Promise<boolean> {
  const order = sql`(select coalesce(max(${dynamicFieldTabs.order}), -1) + 1 from ${dynamicFieldTabs}
    where ${dynamicFieldTabs.type} = ${tab.type})`
  const rows = await tx
    .insert(dynamicFieldTabs)
    .values({ ...tab, order })
    .onConflictDoNothing()
    .returning({ id: dynamicFieldTabs.id })
  return rows.length > 0
}

/** Locks a tab, so that it gets no new blocks either. */
export async function lockTab(tx: Transaction, type: NewTab['type'], id: string) {
  const [row] = await tx
    .select()
    .from(dynamicFieldTabs)
    .where(and(eq(dynamicFieldTabs.type, type), eq(dynamicFieldTabs.id, id)))
    .for('update')
  return row
}

export const hasBlocks = async (tx: Transaction, id: string) =>
  (await tx.$count(dynamicFieldSubtypes, eq(dynamicFieldSubtypes.tabId, id))) > 0

export const tabRows = rowsById(dynamicFieldTabs)
