import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { countRows, paged, selectPage } from '@/db/list'
import { localNameColumn } from '@/db/local-name'
import { personDomain } from '@/db/person-domain'
import { rowsById } from '@/db/rows'
import { news, newsLocales } from '@/db/schema/news'
import { contractors, organizations, roles, userSettings, users } from '@/db/schema/people'
import { domainAliases, domains, locales } from '@/db/schema/platform'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { textLocales } from '@/lib/base/i18n/choose-locale'
import { type AudienceScope, isInAudience } from './audience'
import type { listNews, NewsText } from './contract'
import type { Audience } from './kinds'

type Executor = Database | Transaction
type ListInput = ServiceInput<typeof listNews>['query']

const ofNews = sql`from ${newsLocales} said join ${locales} spoken on spoken.id = said.locale_id
  where said.news_id = ${news.id}`
/** Sorts the reader's language first, then the default one, then the others. */
const inOrder = (locale: string) =>
  sql`order by spoken.code = ${locale} desc, spoken.code = ${textLocales[0]} desc, spoken.code`

const titleIn = (locale: string): SQL<string> =>
  sql`coalesce((select said.title ${ofNews} ${inOrder(locale)} limit 1), '')`
const languages = sql<
  string[]
>`array(select spoken.code ${ofNews} order by spoken.code = ${textLocales[0]} desc, spoken.code)`

const columns = (locale: string) => ({
  id: news.id,
  status: news.status,
  title: titleIn(locale),
  languages,
  audience: news.audience,
  audienceId: news.audienceId,
  toldAt: news.toldAt,
  reached: news.reached,
  mailed: news.mailed,
  publishedAt: news.publishedAt,
  date: news.createdAt,
  updatedAt: news.updatedAt,
})

/** Returns one page of news, with their titles in the language of `locale`. */
export const selectNewsPage = (query: ListInput, pageSize: number | null, locale: string) =>
  selectPage(
    query,
    pageSize,
    {
      sorts: {
        title: titleIn(locale),
        date: news.createdAt,
        publishedAt: news.publishedAt,
        reached: news.reached,
      },
      tie: news.id,
      filters: {
        search: (text) => sql`exists (select ${ofNews} and ${found(text, [sql`said.title`, sql`said.text`])})`,
        status: (status) => eq(news.status, status),
        audience: (audience) => eq(news.audience, audience),
      },
    },
    {
      rows: (parts) => paged(db().select(columns(locale)).from(news).$dynamic(), parts),
      count: (where) => countRows(news, where),
    },
  )

/** Returns news as the list shows them; undefined if there are none with this id. */
export async function selectNews(id: string, locale: string) {
  const [row] = await db().select(columns(locale)).from(news).where(eq(news.id, id))
  return row
}

/** Returns the texts of news, the default language first. */
export const selectTexts = (run: Executor, newsId: string): Promise<NewsText[]> =>
  run
    .select({ localeId: newsLocales.localeId, title: newsLocales.title, text: newsLocales.text })
    .from(newsLocales)
    .innerJoin(locales, eq(locales.id, newsLocales.localeId))
    .where(eq(newsLocales.newsId, newsId))
    .orderBy(sql`${locales.code} <> ${textLocales[0]}`, asc(locales.name), asc(locales.code))

/** Returns the code of a language; undefined if there is none. */
export async function selectLocaleCode(id: string): Promise<string | undefined> {
  const [row] = await db().select({ code: locales.code }).from(locales).where(eq(locales.id, id))
  return row?.code
}

/** Returns those of these locales that exist, locked so that nobody deletes them before the commit. */
export async function selectKnownLocales(tx: Transaction, ids: string[]): Promise<Set<string>> {
  const rows = await tx.select({ id: locales.id }).from(locales).where(inArray(locales.id, ids)).for('key share')
  return new Set(rows.map(({ id }) => id))
}

/** Returns the names of audiences of one kind, by their ids, without deleted ones. */
export async function selectAudienceNames(
  run: Executor,
  audience: Exclude<Audience, 'all'>,
  ids: readonly string[],
  locale: string,
): Promise<Map<string, string>> {
  const host = sql<string>`coalesce((select a.host from ${domainAliases} a where a.domain_id = ${domains.id}
    order by a.host limit 1), ${domains.comment})`
  const selects = {
    role: () =>
      run
        .select({ id: roles.id, name: localNameColumn(roles, locale) })
        .from(roles)
        .where(inArray(roles.id, [...ids])),
    organization: () =>
      run
        .select({ id: organizations.id, name: localNameColumn(organizations, locale) })
        .from(organizations)
        .where(inArray(organizations.id, [...ids])),
    contractor: () =>
      run
        .select({ id: contractors.id, name: sql<string>`${contractors.name}` })
        .from(contractors)
        .where(inArray(contractors.id, [...ids])),
    domain: () =>
      run
        .select({ id: domains.id, name: host })
        .from(domains)
        .where(inArray(domains.id, [...ids])),
  }
  const rows = ids.length === 0 ? [] : await selects[audience]()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Locks news for a change and returns them with their texts; undefined if there are none with this id. */
export async function lockNews(tx: Transaction, id: string) {
  const [row] = await tx.select().from(news).where(eq(news.id, id)).for('update')
  return row && { ...row, locales: await selectTexts(tx, id) }
}

export async function insertNews(tx: Transaction, values: typeof news.$inferInsert): Promise<string> {
  const [row] = await tx.insert(news).values(values).returning({ id: news.id })
  if (!row) throw new Error('an insert returned no row')
  return row.id
}

export const newsRows = rowsById(news)

/** Replaces the texts of news. */
export async function storeTexts(tx: Transaction, newsId: string, texts: NewsText[]) {
  await tx.delete(newsLocales).where(eq(newsLocales.newsId, newsId))
  await tx.insert(newsLocales).values(texts.map((text) => ({ ...text, newsId })))
}

/** Counts the people in an audience now. */
export const countConcerned = (audience: AudienceScope) => countRows(users, isInAudience(audience))

/** Returns the next people of an audience, after this id, and locks their accounts until the end of the transaction. */
export const selectNextPeople = (tx: Transaction, audience: AudienceScope, after: string | null, limit: number) =>
  tx
    .select({
      id: users.id,
      email: users.email,
      name: users.firstName,
      lang: sql<
        string | null
      >`coalesce((select s.lang from ${userSettings} s where s.user_id = ${users}.id), ${users.locale})`,
      domainId: personDomain(audience),
    })
    .from(users)
    .where(and(after === null ? undefined : gt(users.id, after), isInAudience(audience)))
    .orderBy(users.id)
    .limit(limit)
    .for('key share')
