import { inArray, sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { invitations } from '@/db/schema/entry'
import { contractorOrganizations, contractors, userContractorRoles, userContractors } from '@/db/schema/people'

type Run = Database | Transaction

const ids = (list: readonly string[]) => sql`any(${sql.param([...list])}::uuid[])`

/** Returns these contractors with their values. */
export const selectContractors = (run: Run, list: readonly string[]) =>
  run
    .select()
    .from(contractors)
    .where(inArray(contractors.id, [...list]))

/** Returns how many people, roles, organizations and invitations would come to the target that it doesn't have. */
export async function selectEffects(run: Run, targetId: string, sourceIds: readonly string[]) {
  const { rows } = await run.execute<{ people: number; roles: number; organizations: number; invitations: number }>(sql`
    select
      (select count(distinct s.user_id)::int from ${userContractors} s where s.contractor_id = ${ids(sourceIds)}
        and not exists (select from ${userContractors} t where t.contractor_id = ${targetId} and t.user_id = s.user_id)
      ) as people,
      (select count(*)::int from (
        select s.user_id, s.organization_id, s.role_id from ${userContractorRoles} s
          where s.contractor_id = ${ids(sourceIds)}
        except select t.user_id, t.organization_id, t.role_id from ${userContractorRoles} t
          where t.contractor_id = ${targetId}) gained) as roles,
      (select count(*)::int from (
        select s.organization_id from ${contractorOrganizations} s where s.contractor_id = ${ids(sourceIds)}
        except select t.organization_id from ${contractorOrganizations} t where t.contractor_id = ${targetId}) gained
      ) as organizations,
      (select count(*)::int from ${invitations} where contractor_id = ${ids(sourceIds)}) as invitations`)
  return rows[0] ?? { people: 0, roles: 0, organizations: 0, invitations: 0 }
}

/** Returns who belong to one of these contractors. */
export async function selectMembers(run: Run, list: readonly string[]): Promise<string[]> {
  const rows = await run
    .selectDistinct({ userId: userContractors.userId })
    .from(userContractors)
    .where(inArray(userContractors.contractorId, [...list]))
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
    select distinct ${target}, organization_id from ${contractorOrganizations} where contractor_id = ${ids(sourceIds)}
    on conflict do nothing`)
  await tx.execute(sql`
    insert into ${userContractors} (user_id, contractor_id, created_at)
    select user_id, ${target}, min(created_at) from ${userContractors}
    where contractor_id = ${ids(sourceIds)} group by user_id
    on conflict do nothing`)
  await tx.execute(sql`
    insert into ${userContractorRoles} (user_id, contractor_id, organization_id, role_id)
    select distinct user_id, ${target}, organization_id, role_id from ${userContractorRoles}
    where contractor_id = ${ids(sourceIds)}
    on conflict do nothing`)
}

/** Makes merges run one after another: two into one contractor would each wait for the other's invitations. */
export const lockMerges = (tx: Transaction) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtext('contractor merges'))`)

/** Locks the invitations to these contractors in the order of their ids, as answers to them lock them first too. */
export const lockInvitationsTo = (tx: Transaction, list: readonly string[]) =>
  tx
    .select({ id: invitations.id })
    .from(invitations)
    .where(inArray(invitations.contractorId, [...list]))
    .orderBy(invitations.id)
    .for('update')
