import { eq } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Database, db, type Transaction } from './client'

type TableWithId = PgTable & { id: PgColumn }
type Row<T extends PgTable> = T['$inferSelect']
/** PostgreSQL sets the version, and the other two never change. */
type Changes<T extends PgTable> = Partial<Omit<T['$inferInsert'], 'id' | 'createdAt' | 'updatedAt'>>

/**
 * Returns the statements that every table has for one row by its id. A module makes them for its table in `queries.ts`
 * (ADR 106). `strength` is how `lock` locks: `no key update` lets others insert rows that refer to the row.
 */
export const rowsById = <T extends TableWithId>(table: T, strength: 'update' | 'no key update' = 'update') => {
  const anyTable: PgTable = table
  const hasId = (id: string) => eq(table.id, id)
  return {
    table,
    /** Returns a row; undefined if there is none. */
    async select(id: string, run: Database | Transaction = db()): Promise<Row<T> | undefined> {
      const [row] = await run.select().from(anyTable).where(hasId(id))
      return row as Row<T> | undefined
    },
    /** Locks a row for a change and returns it; undefined if there is none. */
    async lock(tx: Transaction, id: string): Promise<Row<T> | undefined> {
      const [row] = await tx.select().from(anyTable).where(hasId(id)).for(strength)
      return row as Row<T> | undefined
    },
    async insert(tx: Transaction, values: T['$inferInsert']): Promise<void> {
      await tx.insert(anyTable).values(values)
    },
    async update(tx: Transaction, id: string, values: Changes<T>): Promise<void> {
      await tx
        .update(anyTable)
        .set(values as object)
        .where(hasId(id))
    },
    async remove(tx: Transaction, id: string): Promise<void> {
      await tx.delete(anyTable).where(hasId(id))
    },
  }
}

/**
 * Returns a function that inserts a row, unless another one has its code. It returns the id and the code of the new row;
 * undefined if the code is taken.
 */
export const insertUnlessTaken =
  <T extends TableWithId & { code: PgColumn }>(table: T) =>
  async (tx: Transaction, values: T['$inferInsert']): Promise<{ id: string; code: string } | undefined> => {
    const [row] = await tx
      .insert(table as PgTable)
      .values(values)
      .onConflictDoNothing({ target: table.code })
      .returning({ id: table.id, code: table.code })
    return row as { id: string; code: string } | undefined
  }
