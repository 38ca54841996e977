import { type SQL, sql } from 'drizzle-orm'
import { rolesInEffect } from '@/db/held-roles'
import { personDomain } from '@/db/person-domain'
import { userContractors, users } from '@/db/schema/people'
import type { Audience } from './kinds'

/** Whom news concern, and the domains at which people sign in. */
export type Whom = {
  audience: Audience
  audienceId: string | null
  served: readonly string[]
  base: string
}

const held = (column: 'role_id' | 'organization_id', id: string | null) =>
  sql`${users}.id in (select held.user_id from ${rolesInEffect} held where held.${sql.identifier(column)} = ${id})`

/**
 * A condition on `users`: the enabled people whom news concern now (docs/rules/profile.md#whom-news-concern). An audience
 * whose object is gone, or was never named, is nobody.
 */
export function concernedBy({ audience, audienceId: id, ...domains }: Whom): SQL {
  const people = {
    all: () => sql`true`,
    role: () => held('role_id', id),
    organization: () => held('organization_id', id),
    contractor: () =>
      sql`${users}.id in (select m.user_id from ${userContractors} m where m.contractor_id = ${id}::uuid)`,
    domain: () => sql`${personDomain(domains)} = ${id}::uuid`,
  }
  return sql`(${users}.enabled and ${people[audience]()})`
}
