import { and, eq, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { providers } from '@/db/schema/people'

/** Ids of the enabled providers that claim a mail domain (lower case). */
export const providersOfMailDomain = (mailDomain: string) =>
  db()
    .select({ id: providers.id })
    .from(providers)
    .where(
      and(
        providers.enabled,
        sql`exists (select from unnest(${providers.emailDomains}) claimed where lower(claimed) = ${mailDomain})`,
      ),
    )

/** What people must know of a directory: its name, and where it lives; null for one that is gone. */
export async function findProvider(run: Database | Transaction, id: string) {
  const { name, type, url, realm } = providers
  const [row] = await run.select({ name, type, url, realm }).from(providers).where(eq(providers.id, id))
  return row ?? null
}
