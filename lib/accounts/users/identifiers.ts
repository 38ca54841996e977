import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { userIdentifiers, users } from '@/db/schema/people'
import { settingsIn } from '@/lib/site/settings/service'

const pageSize = 5_000
const columns = { id: users.id, login: users.login, email: users.email, mobile: users.mobile }

type Owner = { id: string; login: string; email: string | null; mobile: string | null }
type Kinds = { email: boolean; mobile: boolean }
type Identifier = typeof userIdentifiers.$inferInsert

async function* pagesOf(tx: Transaction, ids: readonly string[] | 'all'): AsyncGenerator<Owner[]> {
  if (ids !== 'all') {
    for (let start = 0; start < ids.length; start += pageSize)
      yield await tx
        .select(columns)
        .from(users)
        .where(inArray(users.id, ids.slice(start, start + pageSize)))
    return
  }
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const page = await tx.select(columns).from(users).where(gt(users.id, after)).orderBy(asc(users.id)).limit(pageSize)
    const last = page.at(-1)
    if (!last) return
    yield page
    after = last.id
  }
}

// lower case is made in code, as for the sign-in form's input: SQL's lower() depends on the database's locale
const normalized = (value: string | null) => value?.trim().toLowerCase() ?? ''

function identifiersOf({ id: userId, login, email, mobile }: Owner, kinds: Kinds): Identifier[] {
  const identifiers: Identifier[] = [{ kind: 'login', value: normalized(login), userId }]
  if (kinds.email) identifiers.push({ kind: 'email', value: normalized(email), userId })
  if (kinds.mobile) identifiers.push({ kind: 'mobile', value: normalized(mobile), userId })
  return identifiers.filter(({ value }) => value !== '')
}

const asTable = (rows: Identifier[]) => {
  const column = (name: keyof Identifier) => sql.param(rows.map((row) => row[name]))
  return sql`unnest(${column('kind')}::identifier_kind[], ${column('value')}::text[], ${column('userId')}::uuid[])
    as wanted (kind, value, user_id)`
}

/** Deletes an identifier of a user, who gets another one in the same transaction. */
export const dropIdentifier = (tx: Transaction, userId: string, kind: Identifier['kind']) =>
  tx.delete(userIdentifiers).where(and(eq(userIdentifiers.userId, userId), eq(userIdentifiers.kind, kind)))

/**
 * Updates the identifiers of these users, or of all, from their login, e-mail and mobile: always the login, the others
 * only if the settings let people sign in with them. Throws PostgreSQL's unique violation of
 * `user_identifiers_kind_value` if somebody else has one already.
 */
export async function syncIdentifiers(tx: Transaction, userIds: readonly string[] | 'all'): Promise<void> {
  const { identificationEmail: email, identificationMobile: mobile } = await settingsIn(tx)
  // first delete what nobody needs any more, so that two people can swap identifiers
  for await (const page of pagesOf(tx, userIds)) {
    const identifierTable = asTable(page.flatMap((owner) => identifiersOf(owner, { email, mobile })))
    await tx.delete(userIdentifiers).where(
      and(
        inArray(
          userIdentifiers.userId,
          page.map(({ id }) => id),
        ),
        sql`not exists (select from ${identifierTable} where wanted.kind = ${userIdentifiers.kind}
          and wanted.value = ${userIdentifiers.value} and wanted.user_id = ${userIdentifiers.userId})`,
      ),
    )
  }
  for await (const page of pagesOf(tx, userIds)) {
    const identifierTable = asTable(page.flatMap((owner) => identifiersOf(owner, { email, mobile })))
    await tx.execute(sql`
      insert into ${userIdentifiers} (kind, value, user_id)
      select kind, value, user_id from ${identifierTable}
      where not exists (select from ${userIdentifiers} held
        where held.kind = wanted.kind and held.value = wanted.value and held.user_id = wanted.user_id)`)
  }
}
