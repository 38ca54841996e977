import { and, eq, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { oidcClients, oidcConsents } from '@/db/schema/oidc'

const ofClient = (userId: string, clientId: string) =>
  and(
    eq(oidcConsents.userId, userId),
    sql`${oidcConsents.clientId} = (select c.id from ${oidcClients} c where c.client_id = ${clientId})`,
  )

/** What a user has agreed to tell a client; null for nothing yet. */
export async function findConsent(userId: string, clientId: string): Promise<string[] | null> {
  const [row] = await db().select({ scopes: oidcConsents.scopes }).from(oidcConsents).where(ofClient(userId, clientId))
  return row?.scopes ?? null
}

/** Likewise, locked until the transaction is over, with its id. */
export async function lockConsent(tx: Transaction, userId: string, clientId: string) {
  const [row] = await tx
    .select({ id: oidcConsents.id, scopes: oidcConsents.scopes })
    .from(oidcConsents)
    .where(ofClient(userId, clientId))
    .for('update')
  return row ?? null
}

/** Stores what is agreed to now beside what was before; gives the row, or null when there is no such client. */
export async function uniteConsent(
  tx: Transaction,
  { userId, clientId, scopes, at }: { userId: string; clientId: string; scopes: string[]; at: Date },
) {
  const [client] = await tx.select({ id: oidcClients.id }).from(oidcClients).where(eq(oidcClients.clientId, clientId))
  if (!client) return null
  const [row] = await tx
    .insert(oidcConsents)
    .values({ userId, clientId: client.id, scopes: scopes.toSorted(), createdAt: at, updatedAt: at })
    .onConflictDoUpdate({
      target: [oidcConsents.userId, oidcConsents.clientId],
      set: {
        scopes: sql`array(select distinct unnest(${oidcConsents.scopes} || excluded.scopes) order by 1)`,
        updatedAt: at,
      },
    })
    .returning({ id: oidcConsents.id, scopes: oidcConsents.scopes })
  return row ?? null
}
