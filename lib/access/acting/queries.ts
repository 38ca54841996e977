import { and, eq } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { users } from '@/db/schema/people'

/** Returns the enabled account with whose rights a batch job works; null if there is none or it is disabled. */
export async function selectActor(tx: Transaction, id: string) {
  const { login, firstName, lastName, temporary } = users
  const [row] = await tx
    .select({ id: users.id, login, firstName, lastName, temporary })
    .from(users)
    .where(and(eq(users.id, id), eq(users.enabled, true)))
  return row ?? null
}
