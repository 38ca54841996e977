import { type SQL, sql } from 'drizzle-orm'
import { managesContractor, mayGiveMethodsOf } from './held-roles'
import { invitationRoles, invitations } from './schema/entry'
import { contractorOrganizations, contractors, organizations, roles, users } from './schema/people'

/** A condition: the invitation can still be accepted. An expired one can't, even before the job has closed it. */
export const isOpenInvitation = (now: Date): SQL =>
  sql`(${invitations.status} = 'active' and ${invitations.expiresAt} > ${now})`

/** A table of the roles that open invitations give, by the accounts with their e-mail or their id: user_id, role_id. */
export const rolesInvited = (now: Date) => sql`(
  select ${users.id} as user_id, ${invitationRoles.roleId} as role_id from ${invitations}
  join ${users} on lower(${users.email}) = ${invitations.email}
  join ${invitationRoles} on ${invitationRoles.invitationId} = ${invitations.id} where ${isOpenInvitation(now)}
  union all
  select ${invitations.userId}, ${invitationRoles.roleId} from ${invitations}
  join ${invitationRoles} on ${invitationRoles.invitationId} = ${invitations.id}
  where ${isOpenInvitation(now)} and ${invitations.userId} is not null)`

/** The status of an invitation for people: an expired one is `deactivated` at once. */
export const shownStatus = (now: Date) => sql<typeof invitations.$inferSelect.status>`case
  when ${invitations.status} = 'active' and not ${isOpenInvitation(now)} then 'deactivated'
  else ${invitations.status}::text end`

/** Why a role of an open invitation isn't given; the first reason that applies. */
export type InvitedRoleFault =
  | 'contractor'
  | 'organization'
  | 'unavailable'
  | 'role'
  | 'inviter'
  | 'manager'
  | 'methods'

const { contractorId, inviterId } = invitations
const { organizationId, roleId } = invitationRoles

/** Why the inviter couldn't give this role now; null if they could. Other faults of the invitation aren't checked. */
export const inviterFault: SQL<InvitedRoleFault | null> = sql`case
  when not exists (select from ${users} giver where giver.id = ${inviterId} and giver.enabled) then 'inviter'
  when not ${managesContractor(inviterId, contractorId)} then 'manager'
  when not ${mayGiveMethodsOf(inviterId, contractorId, roleId)} then 'methods' end`

/**
 * Why this role of an invitation wouldn't be given now; null if it would be
 * (docs/rules/invitations.md#what-the-inviter-may-give). For a query from `invitationRoles` that joins `invitations`.
 * All code that shows or gives roles of invitations uses this.
 */
export const invitedRoleFault: SQL<InvitedRoleFault | null> = sql`case
  when not exists (select from ${contractors} c where c.id = ${contractorId} and c.enabled) then 'contractor'
  when not exists (select from ${organizations} o where o.id = ${organizationId} and o.enabled) then 'organization'
  when not exists (select from ${contractorOrganizations} co
    where co.contractor_id = ${contractorId} and co.organization_id = ${organizationId}) then 'unavailable'
  when not exists (select from ${roles} r where r.id = ${roleId} and r.role_type = 'contractor' and r.enabled)
    then 'role'
  else ${inviterFault} end`
