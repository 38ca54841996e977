import { asc, desc, eq, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { inKnownBrowser } from '@/db/known-browsers'
import { sessions } from '@/db/schema/entry'
import { userAgreementRefusals, userAgreements, users } from '@/db/schema/people'
import { documentLocales, documents, locales } from '@/db/schema/platform'

/** Returns the e-mail of an account; undefined if there is no such account. */
export async function selectEmail(id: string) {
  const [row] = await db().select({ email: users.email }).from(users).where(eq(users.id, id))
  return row
}

/** Returns the browsers that an account knows, the last used one first. */
export async function selectBrowsers(database: Database | Transaction, userId: string) {
  const lastValue = (column: string) => sql.raw(`(array_agg(s.${column} order by s.created_at desc))[1]`)
  const { rows } = await database.execute<{
    id: string
    browser: string
    system: string
    type: string
    ip: string
    first_seen: string
    last_seen: string
    sessions: string[]
  }>(sql`
    select ${lastValue('id')} as id, ${lastValue('browser')} as browser, ${lastValue('system')} as system,
      ${lastValue('device_type')} as type, ${lastValue('ip')} as ip,
      to_json(min(s.created_at)) #>> '{}' as first_seen, to_json(max(s.last_access_at)) #>> '{}' as last_seen,
      array_agg(s.id::text) as sessions
    from ${sessions} s where ${inKnownBrowser(sql`${userId}::uuid`)}
    group by s.device_hash order by max(s.last_access_at) desc, s.device_hash`)
  return rows
}

/** Returns a person's answers to agreements, with the titles of the agreements by language. */
export async function selectAgreements(userId: string) {
  const rows = await db()
    .select({
      id: documents.id,
      code: documents.code,
      version: documents.version,
      agreedVersion: userAgreements.version,
      agreedAt: userAgreements.agreedAt,
      ip: userAgreements.ip,
      refusedAt: userAgreementRefusals.refusedAt,
      locale: locales.code,
      title: documentLocales.name,
    })
    .from(documents)
    .leftJoin(
      userAgreements,
      sql`${userAgreements.documentId} = ${documents.id} and ${userAgreements.userId} = ${userId}`,
    )
    .leftJoin(
      userAgreementRefusals,
      sql`${userAgreementRefusals.documentId} = ${documents.id} and ${userAgreementRefusals.userId} = ${userId}`,
    )
    .leftJoin(
      documentLocales,
      sql`${documentLocales.documentId} = ${documents.id} and ${documentLocales.version} = ${documents.version}`,
    )
    .leftJoin(locales, eq(locales.id, documentLocales.localeId))
    .where(sql`${userAgreements.userId} is not null or ${userAgreementRefusals.userId} is not null`)
    .orderBy(asc(documents.code), desc(userAgreements.version))
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap(([newest, ...older]) =>
    newest
      ? [{ ...newest, titles: Object.fromEntries([newest, ...older].map(({ locale, title }) => [locale, title])) }]
      : [],
  )
}
