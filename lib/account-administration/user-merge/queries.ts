import { inArray, sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { inviterFault } from '@/db/open-invitation'
import { accessRequests } from '@/db/schema/access-requests'
import { userContacts } from '@/db/schema/contacts'
import { invitationRoles, invitations, sessions } from '@/db/schema/entry'
import { userAgreements, userContractorRoles, userContractors, userRoles, users } from '@/db/schema/people'

type Connection = Database | Transaction

const anyOf = (ids: readonly string[]) => sql`any(${sql.param([...ids])}::uuid[])`

/** Returns these accounts. */
export const selectMerged = (database: Connection, ids: readonly string[]) =>
  database
    .select()
    .from(users)
    .where(inArray(users.id, [...ids]))
export type MergedRow = Awaited<ReturnType<typeof selectMerged>>[number]

/**
 * The access requests that the target can take over: neither the target nor an earlier one of these requests waits for
 * a decision on the same company. A request without a kpp may mean any company with its inn, so one with a kpp comes
 * first.
 */
const movableRequests = (targetId: string, sourceIds: readonly string[]) => sql`(
  select s.id from ${accessRequests} s
  where s.user_id = ${anyOf(sourceIds)} and (s.status <> 'considered' or not exists (select from ${accessRequests} t
    where t.status = 'considered' and t.inn = s.inn and (
      t.user_id = ${targetId} and (t.kpp = s.kpp or t.kpp is null or s.kpp is null)
      or t.user_id = ${anyOf(sourceIds)} and (t.kpp = s.kpp or s.kpp is null)
        and (t.kpp is not null, s.created_at, s.id) > (s.kpp is not null, t.created_at, t.id)))))`

/** Returns what the target would get, and how many sessions would end. */
export async function selectEffects(database: Connection, targetId: string, sourceIds: readonly string[], now: Date) {
  const anySource = anyOf(sourceIds)
  const { rows } = await database.execute<{
    roles: number
    contractors: number
    requests: number
    sessions: number
  }>(sql`
    select
      (select count(*)::int from (
        select role_id, organization_id, null::uuid from ${userRoles} where user_id = ${anySource}
        union select role_id, organization_id, contractor_id from ${userContractorRoles} where user_id = ${anySource}
        except (select role_id, organization_id, null::uuid from ${userRoles} where user_id = ${targetId}
          union select role_id, organization_id, contractor_id from ${userContractorRoles} where user_id = ${targetId})
      ) gained) as roles,
      (select count(*)::int from (select contractor_id from ${userContractors} where user_id = ${anySource}
        except select contractor_id from ${userContractors} where user_id = ${targetId}) joined) as contractors,
      (select count(*)::int from ${movableRequests(targetId, sourceIds)} moved) as requests,
      (select count(*)::int from ${sessions} where user_id = ${anySource} and ended_at is null
        and expires_at > ${now}::timestamptz) as sessions`)
  return rows[0] ?? { roles: 0, contractors: 0, requests: 0, sessions: 0 }
}

/**
 * Gives the target the roles, contractors, contacts, agreements, access requests and invitations of the other accounts,
 * each once. What it can't take over is deleted with these accounts.
 */
export async function moveLinks(tx: Transaction, targetId: string, sourceIds: readonly string[]) {
  const [target, anySource] = [sql`${targetId}::uuid`, anyOf(sourceIds)]
  await tx.execute(sql`insert into ${userRoles} (user_id, role_id, organization_id)
    select distinct ${target}, role_id, organization_id from ${userRoles} where user_id = ${anySource} on conflict do nothing`)
  await tx.execute(sql`insert into ${userContractors} (user_id, contractor_id, created_at)
    select ${target}, contractor_id, min(created_at) from ${userContractors} where user_id = ${anySource}
    group by contractor_id on conflict do nothing`)
  await tx.execute(sql`insert into ${userContractorRoles} (user_id, contractor_id, organization_id, role_id)
    select distinct ${target}, contractor_id, organization_id, role_id from ${userContractorRoles}
    where user_id = ${anySource} on conflict do nothing`)
  await tx.execute(sql`insert into ${userContacts} (user_id, kind, value, verified_at)
    select ${target}, kind, value, max(verified_at) from (
      select kind, value, verified_at from ${userContacts} where user_id = ${anySource}
      union all select 'email'::contact_kind, lower(email), email_verified_at from ${users}
        where id = ${anySource} and email is not null
      union all select 'mobile'::contact_kind, mobile, mobile_verified_at from ${users}
        where id = ${anySource} and mobile is not null) own
    where not exists (select from ${users} t where t.id = ${target} and own.value in (lower(t.email), t.mobile))
    group by kind, value on conflict do nothing`)
  await tx.execute(sql`insert into ${userAgreements} (user_id, document_id, version, agreed_at, ip)
    select distinct on (document_id, version) ${target}, document_id, version, agreed_at, ip from ${userAgreements}
    where user_id = ${anySource} order by document_id, version, agreed_at on conflict do nothing`)
  await tx.execute(sql`update ${accessRequests} set user_id = ${target}
    where id in (select id from ${movableRequests(targetId, sourceIds)} moved)`)
  // an invitation that its inviter could no longer give stays without an inviter: the target doesn't become responsible
  // for it
  await tx.execute(sql`update ${invitations} set inviter_id = ${target} where inviter_id = ${anySource}
    and (status <> 'active' or not exists (select from ${invitationRoles}
      where ${invitationRoles.invitationId} = ${invitations.id} and ${inviterFault} is not null))`)
  await tx.execute(sql`update ${invitations} set user_id = ${target} where user_id = ${anySource}`)
}
