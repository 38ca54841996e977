import { eq, or, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { chosen } from '@/db/list'
import { users } from '@/db/schema/people'
import { found } from '@/db/search'
import { emailOf } from '@/lib/kernel/email'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type { searchContacts } from './contract'

/**
 * Returns the people that a search by name or e-mail (50 at most, or `limit`) or by ids finds, sorted by name. `known`: the
 * search covers logins and parts of e-mails too, e-mails are shown, and who has no name is called by the login. Otherwise
 * somebody is found by their whole e-mail, which is shown then.
 */
export function selectContacts(query: VerbInput<typeof searchContacts>['query'], known: boolean) {
  const whole = eq(users.email, emailOf(query.searchValue ?? '') ?? '')
  return chosen(
    db()
      .select({
        userId: users.id,
        fullName: known
          ? sql<string>`coalesce(nullif(${users.fio}, ''), ${users.login})`
          : sql<string>`coalesce(${users.fio}, '')`,
        email: known ? users.email : sql<string | null>`case when ${whole} then ${users.email} end`,
      })
      .from(users)
      .$dynamic(),
    query,
    {
      id: users.id,
      called: (text) =>
        or(found(text, [users.fio, known && users.login, known && users.email]), known ? undefined : whole),
      by: users.fio,
    },
  )
}
