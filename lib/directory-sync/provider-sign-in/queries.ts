import { and, asc, eq, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { providers, users } from '@/db/schema/people'
import { providerLinks, providerMappers, providerSyncs } from '@/db/schema/providers'

type Run = Database | Transaction

/** Locks a person of a provider, so that their writes run one after another; synchronizations take the same lock. */
export const lockPerson = (tx: Transaction, providerId: string, externalId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`directory ${providerId} ${externalId}`}, 0))`)

/** Returns whether a provider is enabled, and locks it against changes until the transaction ends. */
export async function holdEnabled(tx: Transaction, id: string): Promise<boolean> {
  const [row] = await tx.select({ enabled: providers.enabled }).from(providers).where(eq(providers.id, id)).for('share')
  return row?.enabled === true
}

/**
 * Returns the account that a provider keeps under an external id, or that its person has linked; null if there is none.
 */
export async function selectProvenAccount(run: Run, providerId: string, externalId: string): Promise<string | null> {
  const [keptAccount] = await run
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.providerId, providerId), eq(users.externalId, externalId)))
  if (keptAccount) return keptAccount.id
  const [linked] = await run
    .select({ id: providerLinks.userId })
    .from(providerLinks)
    .where(and(eq(providerLinks.providerId, providerId), eq(providerLinks.externalId, externalId)))
  return linked?.id ?? null
}

/** Returns an account if this provider keeps it; undefined for one that is only linked to the provider. */
export async function selectKeptAccount(run: Run, providerId: string, userId: string) {
  const [row] = await run
    .select()
    .from(users)
    .where(and(eq(users.id, userId), eq(users.providerId, providerId)))
  return row
}

/** Returns the enabled mappers of a provider that fill fields. */
export const selectBaseMappers = (providerId: string) =>
  db()
    .select({
      type: providerMappers.type,
      name: providerMappers.name,
      before: providerMappers.before,
      after: providerMappers.after,
      customAttributes: providerMappers.customAttributes,
      absent: providerMappers.absent,
      attributes: providerMappers.attributes,
    })
    .from(providerMappers)
    .innerJoin(providerSyncs, eq(providerSyncs.id, providerMappers.syncId))
    .where(
      and(eq(providerSyncs.providerId, providerId), providerMappers.enabled, eq(providerMappers.type, 'users-base')),
    )
    .orderBy(asc(providerMappers.createdAt), asc(providerMappers.id))

/** Returns the accounts of providers that a person has linked, with the providers' names. */
export const selectLinks = (run: Run, userId: string) =>
  run
    .select({
      providerId: providerLinks.providerId,
      externalId: providerLinks.externalId,
      name: providerLinks.name,
      createdAt: providerLinks.createdAt,
      provider: providers.name,
    })
    .from(providerLinks)
    .innerJoin(providers, eq(providers.id, providerLinks.providerId))
    .where(eq(providerLinks.userId, userId))
    .orderBy(asc(providers.name), asc(providers.id))

export const insertLink = (tx: Transaction, values: typeof providerLinks.$inferInsert) =>
  tx.insert(providerLinks).values(values)

export const removeLink = (tx: Transaction, userId: string, providerId: string) =>
  tx.delete(providerLinks).where(and(eq(providerLinks.userId, userId), eq(providerLinks.providerId, providerId)))

/** Returns the id of the identity provider that keeps an account; null if the platform itself keeps it. */
export async function selectKeeper(userId: string): Promise<string | null> {
  const [row] = await db().select({ providerId: users.providerId }).from(users).where(eq(users.id, userId))
  return row?.providerId ?? null
}
