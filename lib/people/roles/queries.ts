import { sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { contractors, methods, organizations, roleMethods, userContractorRoles, userRoles } from '@/db/schema/people'

/**
 * All systemic methods and the application methods that the user holds; `held` tells which come from a role.
 * A role held in a disabled organization or for a disabled contractor gives nothing.
 */
export async function methodsOf(userId: string) {
  type Row = { id: string; code: string; kind: 'systemic' | 'application'; held: boolean }
  const { rows } = await db().execute<Row>(sql`
    with held as (
      select rm.method_id from ${roleMethods} rm where rm.role_id in (
        select ur.role_id from ${userRoles} ur
        left join ${organizations} o on o.id = ur.organization_id
        where ur.user_id = ${userId} and o.enabled is not false
        union
        select ucr.role_id from ${userContractorRoles} ucr
        join ${contractors} c on c.id = ucr.contractor_id and c.enabled
        join ${organizations} o on o.id = ucr.organization_id and o.enabled
        where ucr.user_id = ${userId}
      )
    )
    select m.id, m.code, m.kind, m.id in (select method_id from held) as held
    from ${methods} m
    where m.kind = 'systemic' or m.id in (select method_id from held)`)
  return rows
}
