import { and, eq } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { users } from '@/db/schema/people'

/** Returns the person with whose rights a run works, if the account is enabled; null otherwise. */
export async function selectActor(tx: Transaction, id: string) {
  const { login, firstName, lastName, temporary } = users
  const [row] = await tx
    .select({ id: users.id, login, firstName, lastName, temporary })
    .from(users)
    .where(and(eq(users.id, id), eq(users.enabled, true)))
  return row ?? null
}
