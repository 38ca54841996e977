import { and, asc, count, eq, gt, isNull, ne, or, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { foundVersions } from '@/db/schema/monitoring'
import { oidcClients } from '@/db/schema/oidc'
import { sealingKeys } from '@/db/schema/operations'
import { applications } from '@/db/schema/platform'

export type Looked = { key: string; applicationId: string | null; version: string | null; error: string | null }

/** Returns enabled applications, with the address that tells their version, and what was found there. */
export const selectApplications = () =>
  db()
    .select({
      id: applications.id,
      code: applications.code,
      name: applications.name,
      nameEn: applications.nameEn,
      techUrl: applications.techUrl,
      stated: applications.version,
      version: foundVersions.version,
      error: foundVersions.error,
      checkedAt: foundVersions.checkedAt,
    })
    .from(applications)
    .leftJoin(foundVersions, eq(foundVersions.applicationId, applications.id))
    .where(and(eq(applications.enabled, true), ne(applications.code, 'platform')))
    .orderBy(asc(applications.order), asc(applications.id))

/** Returns what was found of the platform's parts. */
export const selectParts = () => db().select().from(foundVersions).where(isNull(foundVersions.applicationId))

/** Stores what was found. A look that found none keeps the version from before. */
export async function storeVersions(looked: readonly Looked[], checkedAt: Date) {
  await db().transaction(async (tx) => {
    for (const { key, applicationId, version, error } of looked) {
      // an application may have been deleted meanwhile
      const there = applicationId
        ? sql`exists (select from ${applications} a where a.id = ${applicationId}::uuid)`
        : sql`true`
      await tx.execute(sql`
        insert into ${foundVersions} (key, application_id, version, error, checked_at)
        select ${key}, ${applicationId}::uuid, ${version}::text, ${error}::text, ${checkedAt}::timestamptz where ${there}
        on conflict (key) do update set version = coalesce(excluded.version, ${foundVersions.version}),
          error = excluded.error, checked_at = excluded.checked_at`)
    }
  })
}

/** Returns when versions were looked for last; undefined before the first look. */
export async function selectLastLook(): Promise<Date | undefined> {
  const [row] = await db()
    .select({ at: foundVersions.checkedAt })
    .from(foundVersions)
    .where(eq(foundVersions.key, 'platform'))
  return row?.at
}

export async function databaseVersion(): Promise<string> {
  const { rows } = await db().execute<{ server_version: string }>(sql`show server_version`)
  return rows[0]?.server_version.split(' ')[0] ?? ''
}

/** Returns how many enabled clients need no PKCE, and the first of them. */
export async function selectWithoutPkce(most: number) {
  const some = and(eq(oidcClients.enabled, true), eq(oidcClients.pkceRequired, false))
  const [rows, [all]] = await Promise.all([
    db().select({ name: oidcClients.clientId }).from(oidcClients).where(some).orderBy(oidcClients.clientId).limit(most),
    db().select({ count: count() }).from(oidcClients).where(some),
  ])
  return { count: all?.count ?? 0, names: rows.map(({ name }) => name) }
}

/** Returns the names of keys but this one that stored data may still need. */
export async function selectOpenKeys(current: string): Promise<string[]> {
  const open = or(isNull(sealingKeys.clearedAt), gt(sealingKeys.sealedAt, sealingKeys.clearedAt))
  const rows = await db()
    .select({ name: sealingKeys.id })
    .from(sealingKeys)
    .where(and(ne(sealingKeys.id, current), open))
    .orderBy(sealingKeys.createdAt)
  return rows.map(({ name }) => name)
}
