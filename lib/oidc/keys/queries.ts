import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { oidcKeys } from '@/db/schema/oidc'

/** All keys: the active one first, then the next, then retired ones, newest first. */
export const allKeys = (run: Transaction | ReturnType<typeof db> = db()) =>
  run
    .select()
    .from(oidcKeys)
    .orderBy(
      sql`case ${oidcKeys.state} when 'active' then 0 when 'next' then 1 else 2 end`,
      sql`${oidcKeys.createdAt} desc`,
    )

/** One rotation at a time. */
export const lockKeys = (tx: Transaction) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('oidc_keys'))`)

export const insertKey = (tx: Transaction, row: typeof oidcKeys.$inferInsert) => tx.insert(oidcKeys).values(row)

export const activateKey = (tx: Transaction, id: string, at: Date) =>
  tx.update(oidcKeys).set({ state: 'active', activatedAt: at }).where(eq(oidcKeys.id, id))

export const retireKeys = (tx: Transaction, ids: string[], at: Date) =>
  tx.update(oidcKeys).set({ state: 'retired', retiredAt: at }).where(inArray(oidcKeys.id, ids))

export const removeRetired = (tx: Transaction, before: Date) =>
  tx.delete(oidcKeys).where(and(eq(oidcKeys.state, 'retired'), lt(oidcKeys.retiredAt, before)))
