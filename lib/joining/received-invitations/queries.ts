import { and, asc, eq, gte, inArray, lt, notInArray, or, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { cursorPage, type Keys } from '@/db/cursor'
import { countRows, paged } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
import { invitedRoleFault, isOpenInvitation, shownStatus } from '@/db/open-invitation'
import { invitationRoles, invitations } from '@/db/schema/entry'
import { contractors, organizations, roles, users } from '@/db/schema/people'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { dayBegins } from '@/lib/base/text/time-zone'
import type { listOwnInvitations } from './contract'

/** How many rows are counted. */
const countedAtMost = 1_000

export type Addressee = {
  userId: string
  /** The proven main e-mail in lower case; null if there is none. */
  email: string | null
}

/**
 * The states of accepted invitations. An accepted invitation belongs to the account that accepted it, even after that
 * is deleted: the next owner of its e-mail doesn't see it.
 */
const accepted = ['success', 'autoSuccess'] as const

/**
 * A condition: the invitation was sent to the person's e-mail and nobody has accepted it, or the person has accepted
 * it.
 */
const addressedTo = ({ userId, email }: Addressee) => {
  const acceptedByPerson = eq(invitations.userId, userId)
  return email === null
    ? acceptedByPerson
    : or(acceptedByPerson, and(eq(invitations.email, email), notInArray(invitations.status, [...accepted])))
}

/** Returns one page of the invitations to a person. An expired invitation counts as `deactivated` at once. */
export async function selectOwnPage(
  addressee: Addressee,
  query: ServiceInput<typeof listOwnInvitations>['query'],
  { pageSize, now, timeZone }: { pageSize: number | null; now: Date; timeZone: string },
) {
  const scope = addressedTo(addressee)
  const status = shownStatus(now)
  return cursorPage(
    query,
    pageSize,
    {
      list: 'own-invitations',
      caller: addressee.userId,
      sorts: { date: invitations.createdAt, expiresAt: invitations.expiresAt },
      tie: invitations.id,
      total: countedAtMost,
      filters: {
        status: (list) => inArray(status, list),
        dateFrom: (day) => gte(invitations.createdAt, dayBegins(day, timeZone)),
        dateTo: (day) => lt(invitations.createdAt, dayBegins(day, timeZone, 1)),
        search: (text) =>
          sql`exists (select from ${contractors} c where c.id = ${invitations.contractorId}
            and ${found(text, [sql`c.name`, sql`c.inn`])})`,
      },
    },
    {
      rows: ({ keys, ...parts }) =>
        paged(
          db()
            .select({
              invitation: invitations,
              status: status.as('shown_status'),
              company: sql<string>`${contractors.name}`.as('company'),
              inviter: sql<{ fio: string; email: string | null } | null>`case when ${users.id} is not null
                then jsonb_build_object('fio', ${users.fio}, 'email', ${users.email}) end`.as('inviter'),
              keys: sql<Keys>`${keys}`.as('keys'),
            })
            .from(invitations)
            .innerJoin(contractors, eq(contractors.id, invitations.contractorId))
            .leftJoin(users, eq(users.id, invitations.inviterId))
            .$dynamic(),
          { ...parts, where: and(scope, parts.where) },
        ),
      count: (where, atMost) => countRows(invitations, and(scope, where), atMost),
    },
  )
}

/** Returns the roles of these invitations, with names in a language, and whether each could be given now (`given`). */
export const selectRolesWithFaults = (ids: string[], locale: string) =>
  db()
    .select({
      invitationId: invitationRoles.invitationId,
      organizationId: organizations.id,
      organization: localNameColumn(organizations, locale),
      roleId: roles.id,
      role: localNameColumn(roles, locale),
      given: sql<boolean>`${invitedRoleFault} is null`,
    })
    .from(invitationRoles)
    .innerJoin(invitations, eq(invitations.id, invitationRoles.invitationId))
    .innerJoin(organizations, eq(organizations.id, invitationRoles.organizationId))
    .innerJoin(roles, eq(roles.id, invitationRoles.roleId))
    .where(inArray(invitationRoles.invitationId, ids))
    .orderBy(asc(localNameColumn(organizations, locale)), asc(organizations.id), asc(localNameColumn(roles, locale)))

/** Returns an invitation that is addressed to a person. Returns null for any other. */
export async function selectAddressed(id: string, addressee: Addressee) {
  const [row] = await db()
    .select()
    .from(invitations)
    .where(and(eq(invitations.id, id), addressedTo(addressee)))
  return row ?? null
}

/** Counts the open invitations to the proven main e-mail of an account, up to 100. */
export const countOpenInvitationsTo = (userId: string, now: Date) =>
  countRows(
    invitations,
    and(
      sql`${invitations.email} = (select lower(u.email) from ${users} u
        where u.id = ${userId} and u.enabled and u.email_verified_at is not null and u.prepared_by is null)`,
      isOpenInvitation(now),
    ),
    100,
  )
