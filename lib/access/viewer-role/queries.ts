import { and, eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { localNameColumn } from '@/db/local-name'
import { methods, roleMethods, roles, userRoles } from '@/db/schema/people'

/** Returns the names of the enabled systemic roles that give a person a systemic method; at most two. */
export const selectRolesWith = (userId: string, method: string, locale: string) =>
  db()
    .selectDistinct({ name: localNameColumn(roles, locale) })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.roleId))
    .innerJoin(roleMethods, eq(roleMethods.roleId, roles.id))
    .innerJoin(methods, eq(methods.id, roleMethods.methodId))
    .where(
      and(
        eq(userRoles.userId, userId),
        eq(roles.roleType, 'systemic'),
        eq(roles.enabled, true),
        eq(methods.kind, 'systemic'),
        eq(methods.code, method),
      ),
    )
    .limit(2)
