import { sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { chosen } from '@/db/list'
import { users } from '@/db/schema/people'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { searchContacts } from './contract'

/**
 * Returns the people that a search by name (50 at most, or `limit`) or by ids finds, sorted by name. `known`: the search
 * covers logins and e-mails too, e-mails are shown, and who has no name is called by the login.
 */
export function selectContacts(query: ServiceInput<typeof searchContacts>['query'], known: boolean) {
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
      called: (text) => found(text, [users.fio, known && users.login, known && users.email], { indexed: true }),
      by: users.fio,
    },
  )
}
