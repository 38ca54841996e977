import { inArray, sql } from 'drizzle-orm'
import type { Database, Transaction } from '@/db/client'
import { inviterFault } from '@/db/open-invitation'
import { accessRequests } from '@/db/schema/access-requests'
import { userContacts } from '@/db/schema/contacts'
import { invitationRoles, invitations, sessions } from '@/db/schema/entry'
import { userAgreements, userContractorRoles, userContractors, userRoles, users } from '@/db/schema/people'

type Run = Database | Transaction

const among = (ids: readonly string[]) => sql`any(${sql.param([...ids])}::uuid[])`

/** Returns these accounts. */
export const selectMerged = (run: Run, ids: readonly string[]) =>
  run
    .select()
    .from(users)
    .where(inArray(users.id, [...ids]))
export type MergedRow = Awaited<ReturnType<typeof selectMerged>>[number]

/**
 * Requests that the target can take over: it has no open one for the same company, and no other of them is. Without a kpp
 * a company is each of its inn, so one with a kpp goes before.
 */
const movable = (targetId: string, sourceIds: readonly string[]) => sql`(
  select s.id from ${accessRequests} s
  where s.user_id = ${among(sourceIds)} and (s.status <> 'considered' or not exists (select from ${accessRequests} t
    where t.status = 'considered' and t.inn = s.inn and (
      t.user_id = ${targetId} and (t.kpp = s.kpp or t.kpp is null or s.kpp is null)
      or t.user_id = ${among(sourceIds)} and (t.kpp = s.kpp or s.kpp is null)
        and (t.kpp is not null, s.created_at, s.id) > (s.kpp is not null, t.created_at, t.id)))))`

/** Returns what the target would get, and how many sessions would end. */
export async function selectEffects(run: Run, targetId: string, sourceIds: readonly string[], now: Date) {
  const from = among(sourceIds)
  const { rows } = await run.execute<{ roles: number; contractors: number; requests: number; sessions: number }>(sql`
    select
      (select count(*)::int from (
        select role_id, organization_id, null::uuid from ${userRoles} where user_id = ${from}
        union select role_id, organization_id, contractor_id from ${userContractorRoles} where user_id = ${from}
        except (select role_id, organization_id, null::uuid from ${userRoles} where user_id = ${targetId}
          union select role_id, organization_id, contractor_id from ${userContractorRoles} where user_id = ${targetId})
      ) gained) as roles,
      (select count(*)::int from (select contractor_id from ${userContractors} where user_id = ${from}
        except select contractor_id from ${userContractors} where user_id = ${targetId}) joined) as contractors,
      (select count(*)::int from ${movable(targetId, sourceIds)} moved) as requests,
      (select count(*)::int from ${sessions} where user_id = ${from} and ended_at is null
        and expires_at > ${now}::timestamptz) as sessions`)
  return rows[0] ?? { roles: 0, contractors: 0, requests: 0, sessions: 0 }
}

/**
 * Gives the target what hangs on the other accounts: roles, contractors, contacts, agreements, requests and invitations,
 * each once. What it can't take over goes with them.
 */
export async function moveLinks(tx: Transaction, targetId: string, sourceIds: readonly string[]) {
  const [target, from] = [sql`${targetId}::uuid`, among(sourceIds)]
  await tx.execute(sql`insert into ${userRoles} (user_id, role_id, organization_id)
    select distinct ${target}, role_id, organization_id from ${userRoles} where user_id = ${from} on conflict do nothing`)
  await tx.execute(sql`insert into ${userContractors} (user_id, contractor_id, created_at)
    select ${target}, contractor_id, min(created_at) from ${userContractors} where user_id = ${from}
    group by contractor_id on conflict do nothing`)
  await tx.execute(sql`insert into ${userContractorRoles} (user_id, contractor_id, organization_id, role_id)
    select distinct ${target}, contractor_id, organization_id, role_id from ${userContractorRoles}
    where user_id = ${from} on conflict do nothing`)
  await tx.execute(sql`insert into ${userContacts} (user_id, kind, value, verified_at)
    select ${target}, kind, value, max(verified_at) from (
      select kind, value, verified_at from ${userContacts} where user_id = ${from}
      union all select 'email'::contact_kind, lower(email), email_verified_at from ${users}
        where id = ${from} and email is not null
      union all select 'mobile'::contact_kind, mobile, mobile_verified_at from ${users}
        where id = ${from} and mobile is not null) own
    where not exists (select from ${users} t where t.id = ${target} and own.value in (lower(t.email), t.mobile))
    group by kind, value on conflict do nothing`)
  await tx.execute(sql`insert into ${userAgreements} (user_id, document_id, version, agreed_at, ip)
    select distinct on (document_id, version) ${target}, document_id, version, agreed_at, ip from ${userAgreements}
    where user_id = ${from} order by document_id, version, agreed_at on conflict do nothing`)
  await tx.execute(sql`update ${accessRequests} set user_id = ${target}
    where id in (select id from ${movable(targetId, sourceIds)} moved)`)
  // one that the inviter couldn't give isn't the target's to give: it stays without an inviter
  await tx.execute(sql`update ${invitations} set inviter_id = ${target} where inviter_id = ${from}
    and (status <> 'active' or not exists (select from ${invitationRoles}
      where ${invitationRoles.invitationId} = ${invitations.id} and ${inviterFault} is not null))`)
  await tx.execute(sql`update ${invitations} set user_id = ${target} where user_id = ${from}`)
}
