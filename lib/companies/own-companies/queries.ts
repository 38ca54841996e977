import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { rolesInEffect } from '@/db/held-roles'
import { paged, selectPage } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
import {
  contractors,
  organizations,
  roleMethods,
  roles,
  userContractorRoles,
  userContractors,
} from '@/db/schema/people'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { listCompanies } from './contract'

/** Returns one page of the contractors that a person belongs to. */
export const selectCompanyPage = (
  userId: string,
  query: ServiceInput<typeof listCompanies>['query'],
  pageSize: number | null,
) => {
  const isOwn = (where: SQL | undefined) => and(eq(userContractors.userId, userId), where)
  return selectPage(
    query,
    pageSize,
    {
      sorts: { date: userContractors.createdAt, name: contractors.name },
      tie: contractors.id,
      filters: {
        search: (text) => found(text, [contractors.name, contractors.inn]),
      },
    },
    {
      rows: ({ where, ...parts }) =>
        paged(
          db()
            .select({ contractor: contractors, date: userContractors.createdAt })
            .from(userContractors)
            .innerJoin(contractors, eq(contractors.id, userContractors.contractorId))
            .$dynamic(),
          { ...parts, where: isOwn(where) },
        ),
      count: (where) =>
        db().$count(
          db()
            .select({ one: sql<number>`1`.as('one') })
            .from(userContractors)
            .innerJoin(contractors, eq(contractors.id, userContractors.contractorId))
            .where(isOwn(where))
            .as('found'),
        ),
    },
  )
}

/** Returns the roles that a person holds for these contractors, with names in a language. */
export const selectHeldRoles = (userId: string, contractorIds: string[], locale: string) =>
  db()
    .select({
      contractorId: userContractorRoles.contractorId,
      organizationId: organizations.id,
      organization: localNameColumn(organizations, locale),
      enabled: organizations.enabled,
      roleId: roles.id,
      role: localNameColumn(roles, locale),
    })
    .from(userContractorRoles)
    .innerJoin(organizations, eq(organizations.id, userContractorRoles.organizationId))
    .innerJoin(roles, eq(roles.id, userContractorRoles.roleId))
    .where(and(eq(userContractorRoles.userId, userId), inArray(userContractorRoles.contractorId, contractorIds)))
    .orderBy(asc(localNameColumn(organizations, locale)), asc(organizations.id), asc(localNameColumn(roles, locale)))

/** Takes a person out of a contractor, with the roles that they hold for it. Returns whether they belonged to it. */
export async function removeMember(tx: Transaction, userId: string, contractorId: string): Promise<boolean> {
  const rows = await tx
    .delete(userContractors)
    .where(and(eq(userContractors.userId, userId), eq(userContractors.contractorId, contractorId)))
    .returning({ id: userContractors.contractorId })
  return rows.length > 0
}

/** Returns the ids of the methods that roles give a person, without those held for one contractor. */
export async function selectMethodsWithout(userId: string, contractorId: string): Promise<string[]> {
  const { rows } = await db().execute<{ id: string }>(sql`
    select distinct rm.method_id as id from ${rolesInEffect} held
    join ${roleMethods} rm on rm.role_id = held.role_id
    where held.user_id = ${userId} and held.contractor_id is distinct from ${contractorId}`)
  return rows.map(({ id }) => id)
}
