import { and, asc, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { rolesInEffect } from '@/db/held-roles'
import { localNameColumn } from '@/db/local-name'
import { history } from '@/db/schema/operations'
import { methods, organizations, providers, roleMethods, roles, users } from '@/db/schema/people'
import { applications } from '@/db/schema/platform'
import { personName } from '@/lib/base/audit/changer'

/** Returns an account with the name of its directory; undefined if there is none. */
export async function selectOwnAccount(userId: string) {
  const [row] = await db()
    .select({ account: users, directory: providers.name })
    .from(users)
    .leftJoin(providers, eq(providers.id, users.providerId))
    .where(eq(users.id, userId))
  return row
}

/**
 * Returns the systemic and organizational roles in effect of a person, with names in a language: those for the whole
 * platform first, then by organization.
 */
export function selectGroups(userId: string, locale: string) {
  const organization = sql<string | null>`nullif(${localNameColumn(organizations, locale)}, '')`
  return db()
    .select({
      id: roles.id,
      name: localNameColumn(roles, locale),
      organization,
    })
    .from(roles)
    .innerJoin(sql`${rolesInEffect} held`, sql`held.role_id = ${roles.id} and held.contractor_id is null`)
    .leftJoin(organizations, sql`${organizations.id} = held.organization_id`)
    .where(sql`held.user_id = ${userId}`)
    .orderBy(sql`${organization} asc nulls first`, asc(localNameColumn(roles, locale)), asc(roles.id))
}

/** Returns each method of a person with a role that gives it, by application; methods of the platform have none. */
export const selectMethodsByRole = (userId: string, locale: string) =>
  db()
    .selectDistinct({
      applicationId: methods.applicationId,
      application: localNameColumn(applications, locale),
      methodId: methods.id,
      methodName: localNameColumn(methods, locale),
      roleId: roles.id,
      roleName: localNameColumn(roles, locale),
    })
    .from(methods)
    .innerJoin(roleMethods, eq(roleMethods.methodId, methods.id))
    .innerJoin(roles, eq(roles.id, roleMethods.roleId))
    .innerJoin(sql`${rolesInEffect} held`, sql`held.role_id = ${roles.id}`)
    .leftJoin(applications, eq(applications.id, methods.applicationId))
    .where(sql`held.user_id = ${userId}`)
    .orderBy(
      asc(localNameColumn(applications, locale)),
      asc(localNameColumn(methods, locale)),
      asc(localNameColumn(roles, locale)),
    )

/** Returns the changer of the last recorded change of an account. */
export async function selectLastChange(userId: string) {
  const [row] = await db()
    .select({ changerId: history.changerId, person: personName, application: applications.name })
    .from(history)
    .leftJoin(users, eq(users.id, history.changerId))
    .leftJoin(applications, eq(applications.id, history.changerId))
    .where(and(eq(history.entity, 'users'), eq(history.entityId, userId), isNotNull(history.field)))
    .orderBy(desc(history.id))
    .limit(1)
  return row
}

/** The number of history rows that are read for the last changes. */
const recentRows = 60

/** Returns the newest recorded changes of an account, the newest first, without values. */
export const selectRecentChanges = (userId: string) =>
  db()
    .select({
      field: history.field,
      date: history.date,
      requestId: history.requestId,
      changerId: history.changerId,
      person: personName,
      application: applications.name,
    })
    .from(history)
    .leftJoin(users, eq(users.id, history.changerId))
    .leftJoin(applications, eq(applications.id, history.changerId))
    .where(
      and(
        eq(history.entity, 'users'),
        eq(history.entityId, userId),
        eq(history.type, 'update'),
        isNotNull(history.field),
      ),
    )
    .orderBy(desc(history.id))
    .limit(recentRows)
