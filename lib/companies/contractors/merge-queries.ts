import { inArray, sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { invitations } from '@/db/schema/entry'
import { contractorOrganizations, contractors, userContractorRoles, userContractors } from '@/db/schema/people'

type Connection = Database | Transaction

const anyOf = (list: readonly string[]) => sql`any(${sql.param([...list])}::uuid[])`

/** Returns these contractors with their values. */
export const selectContractors = (database: Connection, contractorIds: readonly string[]) =>
  database
    .select()
    .from(contractors)
    .where(inArray(contractors.id, [...contractorIds]))

/**
 * Returns how many people, roles and organizations of the sources the target would get that it doesn't have, and how
 * many invitations.
 */
export async function selectEffects(database: Connection, targetId: string, sourceIds: readonly string[]) {
  const { rows } = await database.execute<{
    people: number
    roles: number
    organizations: number
    invitations: number
  }>(sql`
    select
      (select count(distinct s.user_id)::int from ${userContractors} s where s.contractor_id = ${anyOf(sourceIds)}
        and not exists (select from ${userContractors} t where t.contractor_id = ${targetId} and t.user_id = s.user_id)
      ) as people,
      (select count(*)::int from (
        select s.user_id, s.organization_id, s.role_id from ${userContractorRoles} s
          where s.contractor_id = ${anyOf(sourceIds)}
        except select t.user_id, t.organization_id, t.role_id from ${userContractorRoles} t
          where t.contractor_id = ${targetId}) gained) as roles,
      (select count(*)::int from (
        select s.organization_id from ${contractorOrganizations} s where s.contractor_id = ${anyOf(sourceIds)}
        except select t.organization_id from ${contractorOrganizations} t where t.contractor_id = ${targetId}) gained
      ) as organizations,
      (select count(*)::int from ${invitations} where contractor_id = ${anyOf(sourceIds)}) as invitations`)
  return rows[0] ?? { people: 0, roles: 0, organizations: 0, invitations: 0 }
}

/** Returns the ids of the people who belong to one of these contractors. */
export async function selectMembers(database: Connection, contractorIds: readonly string[]): Promise<string[]> {
  const rows = await database
    .selectDistinct({ userId: userContractors.userId })
    .from(userContractors)
    .where(inArray(userContractors.contractorId, [...contractorIds]))
  return rows.map(({ userId }) => userId)
}

/**
 * Gives the target the people, roles and organizations of the sources, each once. The sources keep theirs until they
 * are deleted: in between nobody is without a role that they hold.
 */
export async function copyLinks(tx: Transaction, targetId: string, sourceIds: readonly string[]) {
  const target = sql`${targetId}::uuid`
  await tx.execute(sql`
    insert into ${contractorOrganizations} (contractor_id, organization_id)
    select distinct ${target}, organization_id from ${contractorOrganizations} where contractor_id = ${anyOf(sourceIds)}
    on conflict do nothing`)
  await tx.execute(sql`
    insert into ${userContractors} (user_id, contractor_id, created_at)
    select user_id, ${target}, min(created_at) from ${userContractors}
    where contractor_id = ${anyOf(sourceIds)} group by user_id
    on conflict do nothing`)
  await tx.execute(sql`
    insert into ${userContractorRoles} (user_id, contractor_id, organization_id, role_id)
    select distinct user_id, ${target}, organization_id, role_id from ${userContractorRoles}
    where contractor_id = ${anyOf(sourceIds)}
    on conflict do nothing`)
}

/** Makes merges run one after another: two into one contractor would each wait for the other's invitations. */
export const lockMerges = (tx: Transaction) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext('contractor merges'))`)

/**
 * Locks the invitations to these contractors in the order of their ids. An answer to an invitation locks it first too.
 */
export const lockInvitationsTo = (tx: Transaction, contractorIds: readonly string[]) =>
  tx
    .select({ id: invitations.id })
    .from(invitations)
    .where(inArray(invitations.contractorId, [...contractorIds]))
    .orderBy(invitations.id)
    .for('update')
