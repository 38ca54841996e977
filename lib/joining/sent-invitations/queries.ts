import { and, asc, eq, gte, inArray, lt, or, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { cursorPage, type Keys } from '@/db/cursor'
import { refersTo } from '@/db/few'
import type { ManagedContractors } from '@/db/held-roles'
import { countRows, paged } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
import { shownStatus } from '@/db/open-invitation'
import { invitationRoles, invitations } from '@/db/schema/entry'
import { contractors, organizations, roles, users } from '@/db/schema/people'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { dayBegins } from '@/lib/base/text/time-zone'
import type { listSentInvitations } from './contract'

/** How many rows are counted. */
const countedAtMost = 10_000
/** How many rows of a search are counted. */
const countedFound = 100

/**
 * Returns one page of the invitations to managed contractors. An expired invitation counts as `deactivated` at once.
 */
export async function selectSentPage(
  managed: ManagedContractors,
  query: ServiceInput<typeof listSentInvitations>['query'],
  { caller, pageSize, now, timeZone }: { caller: string; pageSize: number | null; now: Date; timeZone: string },
) {
  const scope = managed.all ? undefined : sql`${invitations.contractorId} = any(${sql.param(managed.ids)}::uuid[])`
  const status = shownStatus(now)
  const { search } = query.filter
  const toContractors = search
    ? await refersTo(invitations.contractorId, contractors.id, found(search, [contractors.name, contractors.inn]))
    : undefined
  return cursorPage(
    query,
    pageSize,
    {
      list: 'sent-invitations',
      caller,
      sorts: { date: invitations.createdAt, expiresAt: invitations.expiresAt, email: invitations.email },
      tie: invitations.id,
      total: search ? countedFound : countedAtMost,
      filters: {
        contractorId: (id) => eq(invitations.contractorId, id),
        status: (list) => inArray(status, list),
        dateFrom: (day) => gte(invitations.createdAt, dayBegins(day, timeZone)),
        dateTo: (day) => lt(invitations.createdAt, dayBegins(day, timeZone, 1)),
        search: (text) => or(found(text, [invitations.email]), toContractors?.condition),
      },
    },
    {
      rows: ({ keys, ...parts }) =>
        paged(
          db()
            .select({
              invitation: invitations,
              status: status.as('shown_status'),
              contractor: { id: contractors.id, name: contractors.name },
              inviter: sql<string>`coalesce(nullif(${users.fio}, ''), '')`.as('inviter'),
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

/** Returns the roles of these invitations by organization, with names in a language. */
export const selectRolesOfInvitations = (ids: string[], locale: string) =>
  db()
    .select({
      invitationId: invitationRoles.invitationId,
      organizationId: organizations.id,
      organization: localNameColumn(organizations, locale),
      roleId: roles.id,
      role: localNameColumn(roles, locale),
    })
    .from(invitationRoles)
    .innerJoin(organizations, eq(organizations.id, invitationRoles.organizationId))
    .innerJoin(roles, eq(roles.id, invitationRoles.roleId))
    .where(inArray(invitationRoles.invitationId, ids))
    .orderBy(asc(localNameColumn(organizations, locale)), asc(organizations.id), asc(localNameColumn(roles, locale)))
