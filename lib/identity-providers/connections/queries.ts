import { and, asc, eq, lt, ne, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { providerDomains, providers } from '@/db/schema/people'
import { providerCalls, providerMappers, providerSyncs } from '@/db/schema/providers'
import { deleteInBatches } from '@/lib/base/postgres/batches'

type Run = Database | Transaction
export type ProviderRow = typeof providers.$inferSelect
export type ProviderSyncRow = typeof providerSyncs.$inferSelect

/** Returns the ids of the enabled providers other than `except` that claim a mail domain (lower case). */
export const selectProvidersOfMailDomain = (mailDomain: string, run: Run = db(), except?: string) =>
  run
    .select({ id: providers.id })
    .from(providers)
    .where(
      and(
        providers.enabled,
        except ? ne(providers.id, except) : undefined,
        sql`exists (select from unnest(${providers.emailDomains}) claimed where lower(claimed) = ${mailDomain})`,
      ),
    )

/** Returns the enabled providers by name, with the domains that offer them. */
export const selectEnabledProviders = () =>
  db()
    .select({
      id: providers.id,
      name: providers.name,
      emailDomains: providers.emailDomains,
      domains: sql<string[]>`array(
        select pd.domain_id::text from ${providerDomains} pd where pd.provider_id = providers.id
      )`,
    })
    .from(providers)
    .where(eq(providers.enabled, true))
    .orderBy(asc(providers.name))

/** Returns a directory's name, type, address and realm; null if it doesn't exist. */
export async function selectProvider(run: Run, id: string) {
  const { name, type, url, realm } = providers
  const [row] = await run.select({ name, type, url, realm }).from(providers).where(eq(providers.id, id))
  return row ?? null
}

/** Returns the preparer of a provider's accounts; null if an administrator vouches for it. */
export async function selectEnteredBy(tx: Transaction, id: string): Promise<string | null> {
  const [row] = await tx.select({ enteredBy: providers.enteredBy }).from(providers).where(eq(providers.id, id))
  return row?.enteredBy ?? null
}

/** Returns the whole row of a provider; undefined if there is none. */
export async function selectWholeProvider(run: Run, id: string): Promise<ProviderRow | undefined> {
  const [row] = await run.select().from(providers).where(eq(providers.id, id))
  return row
}

export const selectCheckedProviders = () =>
  db()
    .select({
      row: providers,
      /** Whether people sign in through it: a domain offers it, or it claims mail domains. */
      signsIn: sql<boolean>`(cardinality(${providers.emailDomains}) > 0
        or exists (select from ${providerDomains} pd where pd.provider_id = providers.id))`,
    })
    .from(providers)
    .where(eq(providers.enabled, true))

/** Records a call to a provider. */
export const storeCall = (values: typeof providerCalls.$inferInsert) => db().insert(providerCalls).values(values)

/** Deletes records of calls that are older than `before`. */
export const deleteOldCalls = (before: Date) =>
  deleteInBatches(providerCalls, providerCalls.at, lt(providerCalls.at, before))

/** Returns the fields that enabled mappers fill, with their provider. */
export const selectFilledFields = () =>
  db()
    .select({ providerId: providers.id, type: providers.type, code: providerMappers.after })
    .from(providerMappers)
    .innerJoin(providerSyncs, eq(providerSyncs.id, providerMappers.syncId))
    .innerJoin(providers, eq(providers.id, providerSyncs.providerId))
    .where(and(providerMappers.enabled, eq(providerMappers.type, 'users-base')))
