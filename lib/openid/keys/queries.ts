import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { oidcAlgorithmKeys, oidcKeys, type SigningAlg } from '@/db/schema/oidc'

type Run = Transaction | ReturnType<typeof db>

/**
 * Returns the table for an algorithm. RS256 has its own one, because the previous version reads every key in that table
 * as one for RS256.
 */
const tableFor = (alg: SigningAlg) => (alg === 'RS256' ? oidcKeys : (oidcAlgorithmKeys as unknown as typeof oidcKeys))

const ordered = (table: typeof oidcKeys) => [
  sql`case ${table.state} when 'active' then 0 when 'next' then 1 else 2 end`,
  sql`${table.createdAt} desc`,
]

/**
 * Returns all keys, those for RS256 first; of each algorithm the active one first, then the next, then retired ones.
 */
export async function selectKeys(run: Run = db()) {
  const first = await run
    .select()
    .from(oidcKeys)
    .orderBy(...ordered(oidcKeys))
  const others = await run
    .select()
    .from(oidcAlgorithmKeys)
    .orderBy(oidcAlgorithmKeys.alg, ...ordered(tableFor('ES256')))
  return [...first.map((key) => ({ ...key, alg: 'RS256' as SigningAlg })), ...others]
}

/** Takes the lock under which rotations run one after another. */
export const lockKeys = (tx: Transaction) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('oidc_keys'))`)

type Row = typeof oidcAlgorithmKeys.$inferInsert

export const insertKey = (tx: Transaction, { alg, ...row }: Row) =>
  alg === 'RS256' ? tx.insert(oidcKeys).values(row) : tx.insert(oidcAlgorithmKeys).values({ ...row, alg })

export function activateKey(tx: Transaction, alg: SigningAlg, id: string, now: Date) {
  const table = tableFor(alg)
  return tx.update(table).set({ state: 'active', activatedAt: now }).where(eq(table.id, id))
}

export function retireKeys(tx: Transaction, alg: SigningAlg, ids: string[], now: Date) {
  const table = tableFor(alg)
  return tx.update(table).set({ state: 'retired', retiredAt: now }).where(inArray(table.id, ids))
}

/** Removes keys that were retired before a time and returns their number. */
export async function removeRetiredKeys(tx: Transaction, before: Date): Promise<number> {
  let removed = 0
  for (const table of [oidcKeys, tableFor('ES256')]) {
    const { rowCount } = await tx.delete(table).where(and(eq(table.state, 'retired'), lt(table.retiredAt, before)))
    removed += rowCount ?? 0
  }
  return removed
}
