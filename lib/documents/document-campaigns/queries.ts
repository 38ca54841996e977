import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { type Database, db, type Transaction } from '@/db/client'
import { cursorPage, type Keys } from '@/db/cursor'
import { paged } from '@/db/list'
import { personDomain } from '@/db/person-domain'
import { agreementReminders } from '@/db/schema/document-campaigns'
import { userAgreementRefusals, userAgreements, userSettings, users } from '@/db/schema/people'
import { documentLocales, documents, domainAgreements, locales } from '@/db/schema/platform'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { dayBegins } from '@/lib/base/text/time-zone'
import type { Acceptance, listAcceptances } from './contract'

type Executor = Database | Transaction
type ListInput = ServiceInput<typeof listAcceptances>['query']

/** The largest number of rows that is counted; above it, the list says "more than". */
const countedAtMost = 10_000

/** Returns a document; undefined if there is none. `shared` locks its version until the end of the transaction. */
export async function selectDocument(run: Executor, id: string, shared = false) {
  const { code, type, enabled, version, versionAt, createdAt } = documents
  const select = run
    .select({ code, type, enabled, version, versionAt, createdAt })
    .from(documents)
    .where(eq(documents.id, id))
  const [row] = await (shared ? select.for('share') : select)
  return row
}

/** Returns the names of a version, by locale code. */
export async function selectNames(run: Executor, documentId: string, version: number): Promise<Record<string, string>> {
  const rows = await run
    .select({ locale: locales.code, name: documentLocales.name })
    .from(documentLocales)
    .innerJoin(locales, eq(locales.id, documentLocales.localeId))
    .where(and(eq(documentLocales.documentId, documentId), eq(documentLocales.version, version)))
  return Object.fromEntries(rows.map(({ locale, name }) => [locale, name]))
}

/** Returns the domains that require a document at sign-in, served or not. */
export async function selectAsking(run: Executor, documentId: string): Promise<string[]> {
  const rows = await run
    .select({ id: domainAgreements.domainId })
    .from(domainAgreements)
    .where(and(eq(domainAgreements.documentId, documentId), domainAgreements.loginRequired))
  return rows.map(({ id }) => id)
}

/** The document, its current version, and the domains that require it. */
export type CampaignScope = {
  id: string
  version: number
  /** The served domains that require it, all served ones, and the base one. */
  asking: readonly string[]
  served: readonly string[]
  base: string
}

const uuids = (ids: readonly string[]) => sql`any(${sql.param([...ids])}::uuid[])`

/** Returns the condition: the document concerns the person (docs/rules/agreements.md#whom-a-campaign-concerns). */
function isConcerned(campaign: CampaignScope): SQL {
  if (campaign.asking.length === 0) return sql`false`
  if (campaign.asking.length === campaign.served.length) return sql`${users}.enabled`
  return sql`(${users}.enabled and ${personDomain(campaign)} = ${uuids(campaign.asking)})`
}

/** How a condition finds the rows of people: among all, or for each person by an index. */
type Reading = 'all' | 'each'

const hasRow = (reading: Reading, table: PgTable, where: SQL) =>
  reading === 'all'
    ? sql`${users}.id in (select one.user_id from ${table} one where ${where})`
    : sql`exists (select from ${table} one where one.user_id = ${users}.id and ${where} offset 0)`
const hasAgreed = ({ id }: CampaignScope, reading: Reading, version?: number) =>
  hasRow(
    reading,
    userAgreements,
    sql`one.document_id = ${id} ${version === undefined ? sql`` : sql`and one.version = ${version}`}`,
  )
const hasRefused = ({ id }: CampaignScope, reading: Reading) =>
  hasRow(reading, userAgreementRefusals, sql`one.document_id = ${id}`)

const conditionsOf = (campaign: CampaignScope, reading: Reading): Record<Acceptance['state'], SQL> => {
  const accepted = hasAgreed(campaign, reading, campaign.version)
  const refused = hasRefused(campaign, reading)
  const unanswered = sql`not ${accepted} and not ${refused}`
  return {
    accepted,
    refused: sql`(${refused} and not ${accepted})`,
    outstanding: sql`(${isConcerned(campaign)} and ${unanswered})`,
    earlier: sql`(${hasAgreed(campaign, reading)} and ${unanswered} and not ${isConcerned(campaign)})`,
  }
}

/**
 * Returns the condition of a search by name, login or e-mail; a single word of less than three letters matches only the
 * beginning.
 */
const matchesText = (text: string) => found(text, [users.fio, users.login, users.email], { indexed: true })

/** If at most `answers` were given in the days of a filter, the people are read whole; otherwise a page is full soon. */
export const readWhole = { answers: 2_000 }

/**
 * Returns the condition for people whose answer is of certain days. `date` is the date of the answer that the list
 * shows; earlier ones of a person are found too, so it is compared again.
 */
async function answeredIn({ id }: CampaignScope, { dateFrom, dateTo }: Days, { timeZone }: Reader, date: SQL) {
  const inDays = (moment: SQL) =>
    and(
      dateFrom === undefined ? undefined : gte(moment, dayBegins(dateFrom, timeZone)),
      dateTo === undefined ? undefined : lt(moment, dayBegins(dateTo, timeZone, 1)),
    )
  const limit = sql`limit ${readWhole.answers + 1}`
  const { rows } = await db().execute<{ id: string }>(sql`
    (select a.user_id as id from ${userAgreements} a where a.document_id = ${id} and ${inDays(sql`a.agreed_at`)} ${limit})
    union all
    (select r.user_id from ${userAgreementRefusals} r where r.document_id = ${id} and ${inDays(sql`r.refused_at`)} ${limit})`)
  const few = rows.length <= readWhole.answers
  return and(few ? sql`${users}.id = any(${sql.param(rows.map((row) => row.id))}::uuid[])` : undefined, inDays(date))
}

type Days = Pick<ListInput['filter'], 'dateFrom' | 'dateTo'>
export type Reader = { caller: string; timeZone: string; pageSize: number | null }

/**
 * The last agreement of each person, or that to a version, as `agreement`, and the refusal as `refusal`. Sorted by date
 * all are read at once; otherwise PostgreSQL looks them up for the people of the page.
 */
function answersOf({ id }: CampaignScope, { filter: { version }, sortBy }: ListInput) {
  const ofDocument = sql`a.document_id = ${id} ${version === undefined ? sql`` : sql`and a.version = ${version}`}`
  const columns = sql`a.version, a.agreed_at, a.ip from ${userAgreements} a`
  const [agreement, joined] =
    sortBy === 'date'
      ? [
          sql`(select distinct on (a.user_id) a.user_id, ${columns} where ${ofDocument}
            order by a.user_id, a.version desc) agreement`,
          sql`agreement.user_id = ${users}.id`,
        ]
      : [
          sql`lateral (select ${columns} where a.user_id = ${users}.id and ${ofDocument}
            order by a.version desc limit 1) agreement`,
          sql`true`,
        ]
  return {
    agreement,
    joined,
    refusal: sql`${userAgreementRefusals} refusal`,
    refusalJoined: sql`refusal.user_id = ${users}.id and refusal.document_id = ${id}`,
    date: sql`coalesce(agreement.agreed_at, refusal.refused_at)`,
  }
}

/** Returns one page of the people who answered an agreement or have to answer it. An export counts no rows. */
export async function selectAcceptancePage(campaign: CampaignScope, query: ListInput, reader: Reader, counts = true) {
  const { id } = campaign
  const [filtered, stated] = [conditionsOf(campaign, 'all'), conditionsOf(campaign, 'each')]
  const { agreement, joined, refusal, refusalJoined, date } = answersOf(campaign, query)
  const { dateFrom, dateTo } = query.filter
  const ofDays = (dateFrom ?? dateTo) === undefined ? undefined : await answeredIn(campaign, query.filter, reader, date)
  const anyState = sql`(agreement.version is not null or refusal.refused_at is not null or ${isConcerned(campaign)})`
  return cursorPage(
    query,
    reader.pageSize,
    {
      list: `acceptances ${id}`,
      caller: reader.caller,
      sorts: { name: users.fio, date: { by: date, type: 'timestamptz', nullable: true } },
      tie: users.id,
      total: counts ? countedAtMost : 'none',
      filters: {
        search: matchesText,
        state: (state) => filtered[state],
        version: (agreedVersion) => hasAgreed(campaign, 'all', agreedVersion),
        dateFrom: () => ofDays,
        dateTo: () => ofDays,
      },
    },
    {
      rows: ({ keys, where, ...parts }) =>
        paged(
          db()
            .select({
              id: users.id,
              name: users.fio,
              login: users.login,
              email: users.email,
              enabled: users.enabled,
              state: sql<Acceptance['state']>`case when ${stated.accepted} then 'accepted'
                when ${stated.refused} then 'refused' when ${stated.outstanding} then 'outstanding' else 'earlier' end`.as(
                'state',
              ),
              version: sql<number | null>`agreement.version`.as('agreed_version'),
              date: sql<Date | null>`${date}`.mapWith(userAgreements.agreedAt).as('answered_at'),
              ip: sql<string | null>`agreement.ip`.as('agreed_ip'),
              remindedAt: sql<Date | null>`(select m.reminded_at from ${agreementReminders} m
                where m.document_id = ${id} and m.version = ${campaign.version} and m.user_id = ${users}.id)`
                .mapWith(agreementReminders.remindedAt)
                .as('reminded_at'),
              keys: sql<Keys>`${keys}`.as('keys'),
            })
            .from(users)
            .leftJoin(agreement, joined)
            .leftJoin(refusal, refusalJoined)
            .$dynamic(),
          { ...parts, where: and(anyState, where) },
        ),
      count: (where, limit) => {
        const rows = db()
          .select({ one: sql<number>`1`.as('one') })
          .from(users)
          .leftJoin(agreement, joined)
          .leftJoin(refusal, refusalJoined)
          .where(and(anyState, where))
          .$dynamic()
        return db().$count((limit === undefined ? rows : rows.limit(limit)).as('found'))
      },
    },
  )
}

const isReminded = ({ id, version }: CampaignScope) =>
  hasRow('all', agreementReminders, sql`one.document_id = ${id} and one.version = ${version}`)

/** Counts the answers to the current version. */
export async function countCampaign(campaign: CampaignScope) {
  const { accepted, refused: isRefused, outstanding } = conditionsOf(campaign, 'all')
  const concerns = isConcerned(campaign)
  const countWhere = (condition: SQL) => sql<number>`(count(*) filter (where ${condition}))::int`
  const [counts] = await db()
    .select({
      concerned: countWhere(concerns),
      agreed: countWhere(sql`${concerns} and ${accepted}`),
      refused: countWhere(sql`${concerns} and ${isRefused}`),
      left: countWhere(outstanding),
      unreachable: countWhere(sql`${outstanding} and ${users.email} is null`),
      reminded: countWhere(sql`${outstanding} and ${isReminded(campaign)}`),
    })
    .from(users)
  const [lastReminder] = await db()
    .select({ at: sql<Date | null>`max(${agreementReminders.remindedAt})`.mapWith(agreementReminders.remindedAt) })
    .from(agreementReminders)
    .where(and(eq(agreementReminders.documentId, campaign.id), eq(agreementReminders.version, campaign.version)))
  if (!counts) throw new Error('a count returned no row')
  return { ...counts, remindedAt: lastReminder?.at ?? null }
}

/** Returns the number of people who agreed to each version, the newest first. */
export const countVersions = (documentId: string) =>
  db()
    .select({ version: userAgreements.version, accepted: sql<number>`count(*)::int` })
    .from(userAgreements)
    .where(eq(userAgreements.documentId, documentId))
    .groupBy(userAgreements.version)
    .orderBy(desc(userAgreements.version))

/**
 * Returns people who still have to answer, at most `atMost`; without `repeat`, only those not yet reminded of this
 * version.
 */
export const selectUnanswered = (tx: Transaction, campaign: CampaignScope, repeat: boolean, limit: number) =>
  tx
    .select({ id: users.id, name: users.fio, login: users.login })
    .from(users)
    .where(and(conditionsOf(campaign, 'all').outstanding, repeat ? undefined : sql`not ${isReminded(campaign)}`))
    .orderBy(users.fio, users.id)
    .limit(limit)

/** Returns a person who still has to answer, with their domain, and locks the account; undefined for others. */
export async function selectIfUnanswered(tx: Transaction, campaign: CampaignScope, userId: string) {
  const [row] = await tx
    .select({
      email: users.email,
      name: users.firstName,
      lang: sql<
        string | null
      >`coalesce((select s.lang from ${userSettings} s where s.user_id = ${users}.id), ${users.locale})`,
      domainId: personDomain(campaign),
    })
    .from(users)
    .where(and(eq(users.id, userId), conditionsOf(campaign, 'each').outstanding))
    .for('key share')
  return row
}

/** Stores that a person is reminded now; returns false if they were reminded before, unless `repeat`. */
export async function storeReminder(
  tx: Transaction,
  row: Pick<typeof agreementReminders.$inferInsert, 'documentId' | 'version' | 'userId' | 'remindedAt'>,
  repeat: boolean,
): Promise<boolean> {
  const { documentId, version, userId, times } = agreementReminders
  const target = [documentId, version, userId]
  const insert = tx.insert(agreementReminders).values(row)
  const stored = await (repeat
    ? insert.onConflictDoUpdate({ target, set: { times: sql`${times} + 1`, remindedAt: row.remindedAt } })
    : insert.onConflictDoNothing({ target })
  ).returning({ userId })
  return stored.length > 0
}

/** Returns whether an account exists and is enabled. */
export async function isEnabled(tx: Transaction, userId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), users.enabled))
  return rows.length > 0
}
