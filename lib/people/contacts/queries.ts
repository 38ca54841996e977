import { ilike, or, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { chosen, containing } from '@/db/list'
import { users } from '@/db/schema/people'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type { searchContacts } from './contract'

/** Returns the people that a search by name, login or e-mail (50 at most) or by ids finds, sorted by name. */
export const selectContacts = (query: VerbInput<typeof searchContacts>['query']) =>
  chosen(
    db()
      .select({
        userId: users.id,
        fullName: sql<string>`coalesce(nullif(${users.fio}, ''), ${users.login})`,
        email: users.email,
      })
      .from(users)
      .$dynamic(),
    query,
    {
      id: users.id,
      called: (text) =>
        or(
          ilike(users.fio, containing(text)),
          ilike(users.login, containing(text)),
          ilike(users.email, containing(text)),
        ),
      by: users.fio,
    },
  )
