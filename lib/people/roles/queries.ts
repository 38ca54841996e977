import { eq, or, type SQL, sql } from 'drizzle-orm'
import { type Database, prepared, type Transaction } from '@/db/client'
import { rolesInEffect } from '@/db/held-roles'
import { methods, roleMethods } from '@/db/schema/people'

/** Ids of the methods in the roles of a user. */
const heldBy = (userId: SQL | ReturnType<typeof sql.placeholder>) => sql`(
  select rm.method_id from ${roleMethods} rm where rm.role_id in (
    select held.role_id from ${rolesInEffect} held where held.user_id = ${userId}
  )
)`

const methodsByUser = prepared('methods_by_user', (database) => {
  const held = sql<boolean>`${methods.id} in ${heldBy(sql.placeholder('userId'))}`
  return database
    .select({ id: methods.id, code: methods.code, kind: methods.kind, held })
    .from(methods)
    .where(or(eq(methods.kind, 'systemic'), held))
})

/**
 * Returns all systemic methods, and the application methods that the user holds; `held` is true for those that come
 * from a role in effect.
 */
export const selectMethods = (userId: string, run?: Transaction | Database) => methodsByUser(run).execute({ userId })

const heldAmong = prepared('methods_held_among', (database) =>
  database
    .select({ id: methods.id })
    .from(methods)
    .where(
      sql`${methods.id} = any(${sql.placeholder('ids')}::uuid[]) and ${methods.id} in ${heldBy(sql.placeholder('userId'))}`,
    ),
)

/** Returns those of these methods that a role of the user includes. */
export const selectHeldMethodIds = (userId: string, ids: string[]) => heldAmong().execute({ userId, ids })
