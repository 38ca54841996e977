import { and, eq, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { contractors, methods, organizations, roleMethods, userContractorRoles, userRoles } from '@/db/schema/people'

/**
 * All systemic methods and the application methods that the user holds; `held` tells which come from a role.
 * A role held in a disabled organization or for a disabled contractor gives nothing.
 */
export function methodsOf(userId: string) {
  const held = sql<boolean>`${methods.id} in (
    select ${roleMethods.methodId} from ${roleMethods} where ${roleMethods.roleId} in (
      select ${userRoles.roleId} from ${userRoles}
        left join ${organizations} on ${organizations.id} = ${userRoles.organizationId}
        where ${userRoles.userId} = ${userId} and ${organizations.enabled} is not false
      union
      select ${userContractorRoles.roleId} from ${userContractorRoles}
        join ${contractors} on ${and(eq(contractors.id, userContractorRoles.contractorId), contractors.enabled)}
        join ${organizations} on ${and(eq(organizations.id, userContractorRoles.organizationId), organizations.enabled)}
        where ${userContractorRoles.userId} = ${userId}
    )
  )`
  return db()
    .select({ id: methods.id, code: methods.code, kind: methods.kind, held: held.as('held') })
    .from(methods)
    .where(sql`${methods.kind} = 'systemic' or ${held}`)
}
