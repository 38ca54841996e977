import { and, asc, count, eq, gt, isNull, ne, or, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { foundVersions } from '@/db/schema/monitoring'
import { oidcClients } from '@/db/schema/oidc'
import { sealingKeys } from '@/db/schema/operations'
import { applications } from '@/db/schema/platform'

export type FoundVersion = { key: string; applicationId: string | null; version: string | null; error: string | null }

/** Returns enabled applications, with their technical address and the version that was found there. */
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

/** Returns the versions that were found of the platform's parts. */
export const selectParts = () => db().select().from(foundVersions).where(isNull(foundVersions.applicationId))

/** Stores results. A result without a version leaves the stored version unchanged. */
export async function storeVersions(results: readonly FoundVersion[], checkedAt: Date) {
  await db().transaction(async (tx) => {
    for (const { key, applicationId, version, error } of results) {
      // an application may have been deleted in the meantime
      const alive = applicationId
        ? sql`exists (select from ${applications} a where a.id = ${applicationId}::uuid)`
        : sql`true`
      await tx.execute(sql`
        insert into ${foundVersions} (key, application_id, version, error, checked_at)
        select ${key}, ${applicationId}::uuid, ${version}::text, ${error}::text, ${checkedAt}::timestamptz where ${alive}
        on conflict (key) do update set version = coalesce(excluded.version, ${foundVersions.version}),
          error = excluded.error, checked_at = excluded.checked_at`)
    }
  })
}

/** Returns the time of the last search for versions; undefined before the first. */
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

/** Returns the number of enabled clients that don't require PKCE, and the ids of the first ones. */
export async function selectWithoutPkce(limit: number) {
  const withoutPkce = and(eq(oidcClients.enabled, true), eq(oidcClients.pkceRequired, false))
  const [rows, [total]] = await Promise.all([
    db()
      .select({ name: oidcClients.clientId })
      .from(oidcClients)
      .where(withoutPkce)
      .orderBy(oidcClients.clientId)
      .limit(limit),
    db().select({ count: count() }).from(oidcClients).where(withoutPkce),
  ])
  return { count: total?.count ?? 0, names: rows.map(({ name }) => name) }
}

/** Returns the names of the other keys that stored data may still need. */
export async function selectNeededKeys(current: string): Promise<string[]> {
  const stillNeeded = or(isNull(sealingKeys.clearedAt), gt(sealingKeys.sealedAt, sealingKeys.clearedAt))
  const rows = await db()
    .select({ name: sealingKeys.id })
    .from(sealingKeys)
    .where(and(ne(sealingKeys.id, current), stillNeeded))
    .orderBy(sealingKeys.createdAt)
  return rows.map(({ name }) => name)
}
