import { eq, lt, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { oidcLogouts } from '@/db/schema/oidc'
import { deleteInBatches } from '@/lib/kernel/batches'

export async function insertLogout(
  tx: Transaction | Database,
  values: { clientId: string; accountId: string; sid: string },
): Promise<string> {
  const [row] = await tx.insert(oidcLogouts).values(values).returning({ id: oidcLogouts.id })
  if (!row) throw new Error('no logout was stored')
  return row.id
}

export async function selectLogout(id: string) {
  const [row] = await db().select().from(oidcLogouts).where(eq(oidcLogouts.id, id))
  return row ?? null
}

/** Stores the result of a try; `queued` means that it is tried again. */
export const storeLogoutAttempt = (
  id: string,
  { status, error, at }: { status: 'queued' | 'sent' | 'failed'; error: string | null; at: Date },
) =>
  db()
    .update(oidcLogouts)
    .set({
      status,
      error,
      attempts: sql`${oidcLogouts.attempts} + 1`,
      finishedAt: status === 'queued' ? null : at,
    })
    .where(eq(oidcLogouts.id, id))

export const removeOldLogouts = (before: Date) =>
  deleteInBatches(oidcLogouts, oidcLogouts.createdAt, lt(oidcLogouts.createdAt, before))
