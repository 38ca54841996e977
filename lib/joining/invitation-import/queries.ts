import { and, eq, inArray, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { type ManagedContractors, mayGiveMethodsOf } from '@/db/held-roles'
import { isOpenInvitation } from '@/db/open-invitation'
import { invitations } from '@/db/schema/entry'
import { contractorOrganizations, contractors, organizations, roles, userContractors, users } from '@/db/schema/people'

const within = (managed: ManagedContractors) =>
  managed.all ? undefined : sql`${contractors.id} = any(${sql.param(managed.ids)}::uuid[])`

/** Returns the enabled contractors with these tax numbers (`inn`) that a person manages. */
export const selectByNumbers = (managed: ManagedContractors, inns: string[]) =>
  db()
    .select({ id: contractors.id, name: contractors.name, inn: contractors.inn, kpp: contractors.kpp })
    .from(contractors)
    .where(and(within(managed), inArray(contractors.inn, inns), contractors.enabled))

/** Returns the contractor with this id, if it is enabled and a person manages it. */
export const selectManagedContractor = (managed: ManagedContractors, id: string) =>
  db()
    .select({ id: contractors.id, name: contractors.name, inn: contractors.inn, kpp: contractors.kpp })
    .from(contractors)
    .where(and(within(managed), eq(contractors.id, id), contractors.enabled))

/** Returns the enabled organizations in which people of these contractors may hold roles. */
export const selectOrganizations = (contractorIds: string[]) =>
  db()
    .select({
      contractorId: contractorOrganizations.contractorId,
      id: organizations.id,
      code: organizations.code,
      name: organizations.name,
      nameEn: organizations.nameEn,
    })
    .from(contractorOrganizations)
    .innerJoin(organizations, eq(organizations.id, contractorOrganizations.organizationId))
    .where(and(inArray(contractorOrganizations.contractorId, contractorIds), organizations.enabled))

/** Returns every enabled contractor role. */
export const selectContractorRoles = () =>
  db()
    .select({ id: roles.id, name: roles.name, nameEn: roles.nameEn })
    .from(roles)
    .where(and(eq(roles.roleType, 'contractor'), roles.enabled))

/**
 * Returns the roles that a person may not give, each with the contractor for which they may not, as `contractor role`.
 */
export async function selectUnassignableRoles(userId: string, pairs: { contractorId: string; roleId: string }[]) {
  const { rows } = await db().execute<{ pair: string }>(sql`
    select wanted.contractor_id || ' ' || wanted.role_id as pair
    from unnest(${sql.param(pairs.map((pair) => pair.contractorId))}::uuid[],
      ${sql.param(pairs.map((pair) => pair.roleId))}::uuid[]) wanted (contractor_id, role_id)
    where not ${mayGiveMethodsOf(userId, sql`wanted.contractor_id`, sql`wanted.role_id`)}`)
  return new Set(rows.map(({ pair }) => pair))
}

/**
 * Returns the people who are invited to the contractor or belong to it already, as `contractor e-mail`, with the code
 * of the fault.
 */
export async function selectUninvitable(pairs: { contractorId: string; email: string }[], now: Date) {
  const { rows } = await db().execute<{ pair: string; member: boolean }>(sql`
    with wanted as materialized (
      select * from unnest(${sql.param(pairs.map((pair) => pair.contractorId))}::uuid[],
        ${sql.param(pairs.map((pair) => pair.email))}::text[]) wanted (contractor_id, email)
    )
    select wanted.contractor_id || ' ' || wanted.email as pair, false as member from wanted
    join ${invitations} on ${invitations.email} = wanted.email and ${invitations.contractorId} = wanted.contractor_id
      and ${isOpenInvitation(now)}
    union all
    select wanted.contractor_id || ' ' || wanted.email, true from wanted
    join ${users} on lower(${users.email}) = wanted.email
    join ${userContractors} on ${userContractors.userId} = ${users.id}
      and ${userContractors.contractorId} = wanted.contractor_id`)
  return new Map(rows.map(({ pair, member }) => [pair, member ? 'contractorMember' : 'invitationActive']))
}
