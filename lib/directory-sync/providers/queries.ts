import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { selectPage, wholeRows } from '@/db/list'
import { rowsById } from '@/db/rows'
import { providerDomains, providers, users } from '@/db/schema/people'
import { domains } from '@/db/schema/platform'
import { providerLinks, providerMappers, providerSyncs } from '@/db/schema/providers'
import { runs } from '@/db/schema/runs'
import { found } from '@/db/search'
import { syncKind } from '@/lib/base/batch-jobs/kinds'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { AccessTarget } from '@/lib/identity-providers/connections/kinds'
import type { listProviders } from './contract'

type Run = Database | Transaction

export const providerRows = rowsById(providers, 'no key update')

type ListInput = ServiceInput<typeof listProviders>['query']

/** Returns one page of directories. */
export const selectProviderPage = (query: ListInput, pageSize: number | null) =>
  selectPage(
    query,
    pageSize,
    {
      sorts: { name: providers.name, type: providers.type, updatedAt: providers.updatedAt },
      tie: providers.id,
      filters: {
        search: (text) => found(text, [providers.name, providers.url]),
        type: (types) => inArray(providers.type, types),
        enabled: (enabled) => eq(providers.enabled, enabled),
      },
    },
    wholeRows(providers),
  )

/** Returns the domains whose sign-in pages offer these directories. */
export const selectOffers = (run: Run, ids: readonly string[]) =>
  run
    .select()
    .from(providerDomains)
    .where(inArray(providerDomains.providerId, [...ids]))
    .orderBy(asc(providerDomains.domainId))

/** Returns how many accounts each of these directories keeps. */
export const selectPeopleCounts = (run: Run, ids: readonly string[]) =>
  run
    .select({ providerId: users.providerId, people: count() })
    .from(users)
    .where(inArray(users.providerId, [...ids]))
    .groupBy(users.providerId)

/** Returns for each provider how many accounts that it doesn't keep are linked to one of its accounts. */
export const selectLinkCounts = (run: Run, ids: readonly string[]) =>
  run
    .select({ providerId: providerLinks.providerId, linked: count() })
    .from(providerLinks)
    .where(inArray(providerLinks.providerId, [...ids]))
    .groupBy(providerLinks.providerId)

/** Returns the ids of the accounts that a provider keeps or that are linked to one of its accounts. */
export async function selectPeopleOf(run: Run, id: string): Promise<string[]> {
  const keptAccounts = await run.select({ id: users.id }).from(users).where(eq(users.providerId, id))
  const linked = await run
    .select({ id: providerLinks.userId })
    .from(providerLinks)
    .where(eq(providerLinks.providerId, id))
  return [...new Set([...keptAccounts, ...linked].map((row) => row.id))]
}

/** Locks the synchronizations of a provider, so that their mappers don't change. */
export const lockSyncs = (tx: Transaction, providerId: string) =>
  tx
    .select({ id: providerSyncs.id })
    .from(providerSyncs)
    .where(eq(providerSyncs.providerId, providerId))
    .for('no key update')

/** Returns the ids of the roles and methods that mappers of a provider give, including disabled mappers. */
export async function selectMapped(run: Run, providerId: string) {
  const rows = await run
    .select({ after: providerMappers.after, attributes: providerMappers.attributes })
    .from(providerMappers)
    .innerJoin(providerSyncs, eq(providerSyncs.id, providerMappers.syncId))
    .where(and(eq(providerSyncs.providerId, providerId), eq(providerMappers.type, 'users-access')))
  const idsOf = (target: AccessTarget) => [
    ...new Set(rows.flatMap(({ after, attributes }) => (after === target ? attributes.map(({ value }) => value) : []))),
  ]
  return { roles: idsOf('role'), methods: idsOf('method') }
}

/** Returns the synchronizations of these directories. */
export const selectSyncs = (run: Run, providerIds: readonly string[]) =>
  run
    .select()
    .from(providerSyncs)
    .where(inArray(providerSyncs.providerId, [...providerIds]))

/** Returns how many mappers these synchronizations have, how many are enabled, and how many are base mappers. */
export const selectMapperCounts = (run: Run, syncIds: readonly string[]) =>
  run
    .select({
      syncId: providerMappers.syncId,
      all: count(),
      enabled: sql<number>`count(*) filter (where ${providerMappers.enabled})::int`,
      base: sql<number>`count(*) filter (where ${providerMappers.type} = 'users-base')::int`,
    })
    .from(providerMappers)
    .where(inArray(providerMappers.syncId, [...syncIds]))
    .groupBy(providerMappers.syncId)

/** Returns the newest run of each of these synchronizations; trials, which write nothing, are left out. */
export const selectLastRuns = (run: Run, syncIds: readonly string[]) =>
  run
    .selectDistinctOn([runs.subject])
    .from(runs)
    .where(
      and(
        eq(runs.kind, syncKind),
        inArray(runs.subject, [...syncIds]),
        sql`coalesce(${runs.options} ->> 'dry', 'false') <> 'true'`,
      ),
    )
    .orderBy(asc(runs.subject), desc(runs.createdAt), desc(runs.id))

/** Returns the ids of synchronizations for which a run works now, trials too. */
export const selectRunning = (run: Run, syncIds: readonly string[]) =>
  run
    .select({ syncId: runs.subject })
    .from(runs)
    .where(and(eq(runs.kind, syncKind), inArray(runs.subject, [...syncIds]), eq(runs.state, 'running')))

/** Returns those of these ids that are domains. */
export const selectKnownDomains = async (run: Run, ids: readonly string[]): Promise<Set<string>> =>
  new Set(
    ids.length === 0
      ? []
      : (
          await run
            .select({ id: domains.id })
            .from(domains)
            .where(inArray(domains.id, [...ids]))
        ).map(({ id }) => id),
  )

export async function storeOffers(tx: Transaction, id: string, domainIds: readonly string[]) {
  await tx.delete(providerDomains).where(eq(providerDomains.providerId, id))
  if (domainIds.length === 0) return
  await tx.insert(providerDomains).values(domainIds.map((domainId) => ({ providerId: id, domainId })))
}

/** Deletes a directory with its mappers and runs. */
export async function removeProvider(tx: Transaction, id: string) {
  const syncs = tx
    .select({ id: sql<string>`${providerSyncs.id}::text` })
    .from(providerSyncs)
    .where(eq(providerSyncs.providerId, id))
  await tx.delete(runs).where(and(eq(runs.kind, syncKind), inArray(runs.subject, syncs)))
  await tx.delete(providers).where(eq(providers.id, id))
}

/** Inserts the synchronization of a new directory. */
export const insertSync = (tx: Transaction, values: typeof providerSyncs.$inferInsert) =>
  tx.insert(providerSyncs).values(values)

/** Stores the person with whose rights scheduled runs work. */
export const storeActor = (tx: Transaction, providerId: string, actorId: string | null) =>
  tx.update(providerSyncs).set({ actorId }).where(eq(providerSyncs.providerId, providerId))
