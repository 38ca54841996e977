import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { userIdentifiers, users } from '@/db/schema/people'
import type { ImportKey } from './offered'

type Connection = Database | Transaction
const anyOf = (texts: readonly string[]) => sql`any(${sql.param([...texts])}::text[])`

const hasKey = (by: ImportKey, keys: readonly string[]) => {
  if (by === 'externalId') return and(isNull(users.providerId), sql`${users.externalId} = ${anyOf(keys)}`)
  if (by === 'email') return sql`lower(${users.email}) = ${anyOf(keys)}`
  const logins = db()
    .select({ id: userIdentifiers.userId })
    .from(userIdentifiers)
    .where(and(eq(userIdentifiers.kind, 'login'), sql`${userIdentifiers.value} = ${anyOf(keys)}`))
  return inArray(users.id, logins)
}

/** Returns the accounts that rows find by these keys; logins and e-mails in lower case. */
export const selectByKeys = (database: Connection, by: ImportKey, keys: readonly string[]) =>
  database.select().from(users).where(hasKey(by, keys))
export type ImportAccount = Awaited<ReturnType<typeof selectByKeys>>[number]

/** Returns the ids of the accounts that rows find by a key. */
export const selectIdsByKey = (tx: Transaction, by: ImportKey, key: string) =>
  tx
    .select({ id: users.id })
    .from(users)
    .where(hasKey(by, [key]))
    .limit(2)

/** Locks the accounts that rows find by these keys, in the order of their ids, and returns them. */
export const lockByKeys = (tx: Transaction, by: ImportKey, keys: readonly string[]) =>
  tx.select().from(users).where(hasKey(by, keys)).orderBy(users.id).for('update')

/** Returns those of these external ids that accounts of the platform have. */
export async function selectTakenExternalIds(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx.select({ id: users.externalId }).from(users).where(hasKey('externalId', ids))
  return rows.flatMap(({ id }) => id ?? [])
}

/** Makes rows of different imports that name one external id wait for each other. */
export const lockExternalId = (tx: Transaction, externalId: string) => lockExternalIds(tx, [externalId])

/** Does the same for several external ids, in one order for all. */
export const lockExternalIds = (tx: Transaction, ids: readonly string[]) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('external id ' || id, 0))
    from (select unnest(${sql.param([...ids].sort())}::text[]) as id) wanted`)

/**
 * Returns the ids of the accounts that have these identifiers, by `kind value`; of e-mails also if nobody signs in with
 * them.
 */
export async function selectIdentifierHolders(values: {
  login: string[]
  email: string[]
  mobile: string[]
  externalId: string[]
}) {
  const identifiers = await db()
    .select({ kind: userIdentifiers.kind, value: userIdentifiers.value, id: userIdentifiers.userId })
    .from(userIdentifiers)
    .where(
      or(
        and(eq(userIdentifiers.kind, 'login'), sql`${userIdentifiers.value} = ${anyOf(values.login)}`),
        and(eq(userIdentifiers.kind, 'mobile'), sql`${userIdentifiers.value} = ${anyOf(values.mobile)}`),
      ),
    )
  const emails = await db()
    .select({ value: sql<string>`lower(${users.email})`, id: users.id })
    .from(users)
    .where(sql`lower(${users.email}) = ${anyOf(values.email)}`)
  const external = await db()
    .select({ value: sql<string>`${users.externalId}`, id: users.id })
    .from(users)
    .where(hasKey('externalId', values.externalId))
  const holders = new Map<string, string[]>()
  const add = (name: string, id: string) => holders.set(name, [...(holders.get(name) ?? []), id])
  for (const { kind, value, id } of identifiers) add(`${kind} ${value}`, id)
  for (const { value, id } of emails) add(`email ${value}`, id)
  for (const { value, id } of external) add(`externalId ${value}`, id)
  return holders
}

/** Returns the person who started a batch job, if the account is enabled; null otherwise. */
export async function selectStarter(tx: Transaction, id: string) {
  const { login, firstName, lastName, temporary } = users
  const [row] = await tx
    .select({ id: users.id, login, firstName, lastName, temporary })
    .from(users)
    .where(and(eq(users.id, id), eq(users.enabled, true)))
  return row ?? null
}
