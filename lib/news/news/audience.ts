import { type SQL, sql } from 'drizzle-orm'
import { rolesInEffect } from '@/db/held-roles'
import { personDomain } from '@/db/person-domain'
import { userContractors, users } from '@/db/schema/people'
import type { Audience } from './kinds'

/** The audience of news, and the domains at which people sign in. */
export type AudienceScope = {
  audience: Audience
  audienceId: string | null
  served: readonly string[]
  base: string
}

const hasRoleWith = (column: 'role_id' | 'organization_id', id: string | null) =>
  sql`${users}.id in (select held.user_id from ${rolesInEffect} held where held.${sql.identifier(column)} = ${id})`

/**
 * Returns a condition on `users`: enabled people in the audience now (docs/rules/profile.md#whom-news-concern). An
 * audience without an existing object is empty.
 */
export function isInAudience({ audience, audienceId: id, ...domains }: AudienceScope): SQL {
  const people = {
    all: () => sql`true`,
    role: () => hasRoleWith('role_id', id),
    organization: () => hasRoleWith('organization_id', id),
    contractor: () =>
      sql`${users}.id in (select m.user_id from ${userContractors} m where m.contractor_id = ${id}::uuid)`,
    domain: () => sql`${personDomain(domains)} = ${id}::uuid`,
  }
  return sql`(${users}.enabled and ${people[audience]()})`
}
