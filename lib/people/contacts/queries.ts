import { ilike, or, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { chosen, containing } from '@/db/list'
import { users } from '@/db/schema/people'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type { searchContacts } from './contract'

/**
 * Returns the people that a search by name (50 at most, or `limit`) or by ids finds, sorted by name. `known`: the search
 * covers logins and e-mails too, e-mails are shown, and who has no name is called by the login.
 */
export function selectContacts(query: VerbInput<typeof searchContacts>['query'], known: boolean) {
  return chosen(
    db()
      .select({
        userId: users.id,
        fullName: known
          ? sql<string>`coalesce(nullif(${users.fio}, ''), ${users.login})`
          : sql<string>`coalesce(${users.fio}, '')`,
        email: known ? users.email : sql<string | null>`null`,
      })
      .from(users)
      .$dynamic(),
    query,
    {
      id: users.id,
      called: (text) =>
        or(
          ilike(users.fio, containing(text)),
          known ? ilike(users.login, containing(text)) : undefined,
          known ? ilike(users.email, containing(text)) : undefined,
        ),
      by: users.fio,
    },
  )
}
