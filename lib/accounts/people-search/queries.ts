import { sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { chosen } from '@/db/list'
import { users } from '@/db/schema/people'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { searchContacts } from './contract'

/**
 * Returns the people that a search by name (50 at most, or `limit`) or by ids finds, sorted by name. With
 * `mayReadUsers` the search covers logins and e-mails too, e-mails are returned, and a person without a name is called
 * by the login.
 */
export function selectContacts(query: ServiceInput<typeof searchContacts>['query'], mayReadUsers: boolean) {
  return chosen(
    db()
      .select({
        userId: users.id,
        fullName: mayReadUsers
          ? sql<string>`coalesce(nullif(${users.fio}, ''), ${users.login})`
          : sql<string>`coalesce(${users.fio}, '')`,
        email: mayReadUsers ? users.email : sql<string | null>`null`,
      })
      .from(users)
      .$dynamic(),
    query,
    {
      id: users.id,
      called: (text) =>
        found(text, [users.fio, mayReadUsers && users.login, mayReadUsers && users.email], { indexed: true }),
      by: users.fio,
    },
  )
}
