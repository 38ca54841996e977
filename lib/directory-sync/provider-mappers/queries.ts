import { and, asc, eq, exists, inArray } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { rowsById } from '@/db/rows'
import { methods, providers, roleMethods, roles } from '@/db/schema/people'
import { providerMappers, providerSyncs } from '@/db/schema/providers'
import type { AccessTarget } from '@/lib/identity-providers/connections/kinds'

type Run = Database | Transaction
export type MapperRow = typeof providerMappers.$inferSelect

/** Returns the mappers of a synchronization, base ones first. */
export const selectMappers = (run: Run, syncId: string): Promise<MapperRow[]> =>
  run
    .select()
    .from(providerMappers)
    .where(eq(providerMappers.syncId, syncId))
    .orderBy(asc(providerMappers.type), asc(providerMappers.createdAt), asc(providerMappers.id))

/** Returns a synchronization with the type of its directory; undefined if there is none. */
export async function selectSyncOf(run: Run, id: string) {
  const [row] = await run
    .select({ id: providerSyncs.id, providerId: providers.id, type: providers.type })
    .from(providerSyncs)
    .innerJoin(providers, eq(providers.id, providerSyncs.providerId))
    .where(eq(providerSyncs.id, id))
  return row
}

/** Locks a synchronization, so that its mappers change one after another. */
export const lockSync = (tx: Transaction, id: string) =>
  tx.select({ id: providerSyncs.id }).from(providerSyncs).where(eq(providerSyncs.id, id)).for('no key update')

/** Returns a mapper of a synchronization; undefined if there is none. */
export async function lockMapper(tx: Transaction, syncId: string, id: string): Promise<MapperRow | undefined> {
  const [row] = await tx
    .select()
    .from(providerMappers)
    .where(and(eq(providerMappers.id, id), eq(providerMappers.syncId, syncId)))
    .for('update')
  return row
}

export const insertMappers = (tx: Transaction, rows: (typeof providerMappers.$inferInsert)[]) =>
  tx.insert(providerMappers).values(rows).returning({ id: providerMappers.id })

export const mapperRows = rowsById(providerMappers)

/** The condition that a mapper is of a synchronization. */
export const ofSync = (syncId: string) => eq(providerMappers.syncId, syncId)

/** Returns those of these ids that are systemic roles, or methods of the platform. */
export async function selectSystemic(run: Run, target: AccessTarget, ids: readonly string[]): Promise<Set<string>> {
  const rows =
    target === 'role'
      ? run
          .select({ id: roles.id })
          .from(roles)
          .where(and(inArray(roles.id, [...ids]), eq(roles.roleType, 'systemic')))
      : run
          .select({ id: methods.id })
          .from(methods)
          .where(and(inArray(methods.id, [...ids]), eq(methods.kind, 'systemic')))
  return new Set((await rows).map(({ id }) => id))
}

/** Stores the person with whose rights scheduled runs work. */
export const storeActor = (tx: Transaction, syncId: string, actorId: string | null) =>
  tx.update(providerSyncs).set({ actorId }).where(eq(providerSyncs.id, syncId))

/** Returns the names of these roles and methods. */
export async function selectNames(
  run: Database | Transaction,
  roleIds: readonly string[],
  methodIds: readonly string[],
) {
  const rowsOf = (table: typeof roles | typeof methods, ids: readonly string[]) =>
    ids.length === 0
      ? []
      : run
          .select({ id: table.id, name: table.name, nameEn: table.nameEn })
          .from(table)
          .where(inArray(table.id, [...ids]))
  return (await Promise.all([rowsOf(roles, roleIds), rowsOf(methods, methodIds)])).flat()
}

/** Returns the ids of the systemic roles that have a method of the platform. */
export const selectStrongRoles = () =>
  db()
    .select({ id: roles.id })
    .from(roles)
    .where(
      and(
        eq(roles.roleType, 'systemic'),
        exists(
          db()
            .select({ id: methods.id })
            .from(roleMethods)
            .innerJoin(methods, eq(methods.id, roleMethods.methodId))
            .where(and(eq(roleMethods.roleId, roles.id), eq(methods.kind, 'systemic'))),
        ),
      ),
    )
