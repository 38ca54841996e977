import { and, eq, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { providers } from '@/db/schema/people'

/** Returns the ids of the enabled providers that claim a mail domain (lower case). */
export const selectProvidersOfMailDomain = (mailDomain: string, run: Database | Transaction = db()) =>
  run
    .select({ id: providers.id })
    .from(providers)
    .where(
      and(
        providers.enabled,
        sql`exists (select from unnest(${providers.emailDomains}) claimed where lower(claimed) = ${mailDomain})`,
      ),
    )

/** Returns a directory's name, type and address; null for one that is gone. */
export async function selectProvider(run: Database | Transaction, id: string) {
  const { name, type, url, realm } = providers
  const [row] = await run.select({ name, type, url, realm }).from(providers).where(eq(providers.id, id))
  return row ?? null
}
