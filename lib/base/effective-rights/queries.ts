import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { countsEverywhere, isAdministrator, rolesGiven, rolesInEffect } from '@/db/held-roles'
import { heldEverywhere, isEnabled } from '@/db/prepared-accounts'
import { methods, roleMethods } from '@/db/schema/people'
import type { Method } from '../context/access'

/**
 * Returns the methods that a person's roles give them, and whether each counts everywhere. One that comes from
 * contractor roles only counts for these contractors, and masterAccountAccess from an organizational role nowhere
 * (docs/rules/access.md#granting).
 */
export async function selectRoleMethods(tx: Database | Transaction, userId: string, contractorId: string | null) {
  const inContractor = contractorId ? sql` or held.contractor_id = ${contractorId}` : sql``
  const { rows } = await tx.execute<Method & { counts: boolean }>(sql`
    select m.id, m.code, m.kind, bool_or(${countsEverywhere(sql`held`, sql`m`)}${inContractor}) as counts
    from ${rolesInEffect} held
    join ${roleMethods} rm on rm.role_id = held.role_id
    join ${methods} m on m.id = rm.method_id
    where held.user_id = ${userId} group by m.id, m.code, m.kind`)
  return rows
}

/** Returns the methods that a person or an application holds for the whole platform; none if it is disabled. */
export async function selectPlatformMethods(tx: Database | Transaction, holderId: string) {
  const id = sql`${holderId}::uuid`
  const { rows } = await tx.execute<Method>(sql`
    select distinct own.id, own.code, own.kind from ${heldEverywhere(id)} own where ${isEnabled(id)}`)
  return rows
}

/** Returns whether the shipped role `administrator` is in effect for this person. */
export async function selectIsAdministrator(tx: Database | Transaction, userId: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`select where ${isAdministrator(userId)}`)
  return rows.length > 0
}

/** Returns those of these people who have a role with a systemic method, in effect or not. */
export async function selectPlatformHolders(tx: Database | Transaction, userIds: readonly string[]) {
  const { rows } = await tx.execute<{ user_id: string }>(sql`
    select distinct link.user_id from ${rolesGiven} link
    join ${roleMethods} rm on rm.role_id = link.role_id
    join ${methods} m on m.id = rm.method_id and m.kind = 'systemic'
    where link.user_id = any(${sql.param([...userIds])}::uuid[])`)
  return new Set(rows.map((row) => row.user_id))
}
