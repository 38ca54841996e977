import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { contractorOrganizations, contractors, organizations, roles, userIdentifiers, users } from '@/db/schema/people'
import type { ImportKey } from './offered'

type Run = Database | Transaction
const among = (texts: readonly string[]) => sql`any(${sql.param([...texts])}::text[])`

/** Returns the enabled roles. */
export const selectRoles = () =>
  db()
    .select({ id: roles.id, code: roles.code, name: roles.name, nameEn: roles.nameEn, roleType: roles.roleType })
    .from(roles)
    .where(eq(roles.enabled, true))

/** Returns the enabled organizations. */
export const selectOrganizations = () =>
  db()
    .select({ id: organizations.id, code: organizations.code, name: organizations.name, nameEn: organizations.nameEn })
    .from(organizations)
    .where(eq(organizations.enabled, true))

/** Returns the contractors that are called so: by inn, external code or name. */
export const selectContractors = (called: readonly string[]) =>
  db()
    .select({ id: contractors.id, inn: contractors.inn, code: contractors.externalCode, name: contractors.name })
    .from(contractors)
    .where(
      or(
        sql`${contractors.inn} = ${among(called)}`,
        sql`${contractors.externalCode} = ${among(called)}`,
        sql`${contractors.name} = ${among(called)}`,
      ),
    )

/** Returns where people of these contractors may hold roles, as `contractor organization`. */
export async function selectAvailable(contractorIds: readonly string[]): Promise<Set<string>> {
  const { contractorId, organizationId } = contractorOrganizations
  const rows = await db()
    .select({ contractorId, organizationId })
    .from(contractorOrganizations)
    .where(inArray(contractorId, [...contractorIds]))
  return new Set(rows.map((row) => `${row.contractorId} ${row.organizationId}`))
}

const ofKey = (by: ImportKey, keys: readonly string[]) => {
  if (by === 'externalId') return and(isNull(users.providerId), sql`${users.externalId} = ${among(keys)}`)
  if (by === 'email') return sql`lower(${users.email}) = ${among(keys)}`
  const logins = db()
    .select({ id: userIdentifiers.userId })
    .from(userIdentifiers)
    .where(and(eq(userIdentifiers.kind, 'login'), sql`${userIdentifiers.value} = ${among(keys)}`))
  return inArray(users.id, logins)
}

/** Returns the accounts that rows find by these keys; logins and e-mails in lower case. */
export const selectByKeys = (run: Run, by: ImportKey, keys: readonly string[]) =>
  run.select().from(users).where(ofKey(by, keys))
export type FoundAccount = Awaited<ReturnType<typeof selectByKeys>>[number]

/** Returns the ids of the accounts that rows find by a key. */
export const selectIdsByKey = (tx: Transaction, by: ImportKey, key: string) =>
  tx
    .select({ id: users.id })
    .from(users)
    .where(ofKey(by, [key]))
    .limit(2)

/** The same accounts, locked in the order of their ids. */
export const lockByKeys = (tx: Transaction, by: ImportKey, keys: readonly string[]) =>
  tx.select().from(users).where(ofKey(by, keys)).orderBy(users.id).for('update')

/** Returns those of these external ids that accounts have which no directory keeps. */
export async function selectHeldIds(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tx.select({ id: users.externalId }).from(users).where(ofKey('externalId', ids))
  return rows.flatMap(({ id }) => id ?? [])
}

/** Makes rows of different imports that name one external id wait for each other. */
export const lockExternalId = (tx: Transaction, externalId: string) => lockExternalIds(tx, [externalId])

/** The same for several external ids, in one order for all. */
export const lockExternalIds = (tx: Transaction, ids: readonly string[]) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('external id ' || id, 0))
    from (select unnest(${sql.param([...ids].sort())}::text[]) as id) wanted`)

/** Returns who has these identifiers, as `kind value` and the account's id; e-mails also if nobody signs in with them. */
export async function selectTaken(values: {
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
        and(eq(userIdentifiers.kind, 'login'), sql`${userIdentifiers.value} = ${among(values.login)}`),
        and(eq(userIdentifiers.kind, 'mobile'), sql`${userIdentifiers.value} = ${among(values.mobile)}`),
      ),
    )
  const emails = await db()
    .select({ value: sql<string>`lower(${users.email})`, id: users.id })
    .from(users)
    .where(sql`lower(${users.email}) = ${among(values.email)}`)
  const external = await db()
    .select({ value: sql<string>`${users.externalId}`, id: users.id })
    .from(users)
    .where(ofKey('externalId', values.externalId))
  const found = new Map<string, string[]>()
  const add = (name: string, id: string) => found.set(name, [...(found.get(name) ?? []), id])
  for (const { kind, value, id } of identifiers) add(`${kind} ${value}`, id)
  for (const { value, id } of emails) add(`email ${value}`, id)
  for (const { value, id } of external) add(`externalId ${value}`, id)
  return found
}

/** Returns the person who started a run, if the account is enabled; null otherwise. */
export async function selectStarter(tx: Transaction, id: string) {
  const { login, firstName, lastName, temporary } = users
  const [row] = await tx
    .select({ id: users.id, login, firstName, lastName, temporary })
    .from(users)
    .where(and(eq(users.id, id), eq(users.enabled, true)))
  return row ?? null
}
