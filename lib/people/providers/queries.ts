import { and, eq, sql } from 'drizzle-orm'
import { db } from '@/db/client'
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

export async function findProviderName(id: string) {
  const [row] = await db().select({ name: providers.name }).from(providers).where(eq(providers.id, id))
  return row?.name ?? null
}
