import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { cursorPage, type Keys } from '@/db/cursor'
import { countRows, paged } from '@/db/list'
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

const idIn = (rows: SQL) => sql`${users}.id in (${rows})`
const hasAgreed = ({ id }: CampaignScope, version?: number) =>
  idIn(sql`select a.user_id from ${userAgreements} a where a.document_id = ${id}
    ${version === undefined ? sql`` : sql`and a.version = ${version}`}`)
const hasRefused = ({ id }: CampaignScope) =>
  idIn(sql`select r.user_id from ${userAgreementRefusals} r where r.document_id = ${id}`)

const conditionsOf = (campaign: CampaignScope): Record<Acceptance['state'], SQL> => {
  const accepted = hasAgreed(campaign, campaign.version)
  const isRefused = sql`(${hasRefused(campaign)} and not ${accepted})`
  const unanswered = sql`not ${accepted} and not ${hasRefused(campaign)}`
  return {
    accepted,
    refused: isRefused,
    outstanding: sql`(${isConcerned(campaign)} and ${unanswered})`,
    earlier: sql`(${hasAgreed(campaign)} and ${unanswered} and not ${isConcerned(campaign)})`,
  }
}

/**
 * Returns the condition of a search by name, login or e-mail; a single word of less than three letters matches only the
 * beginning.
 */
const matchesText = (text: string) => found(text, [users.fio, users.login, users.email], { indexed: true })

export type Reader = { caller: string; timeZone: string; pageSize: number | null }

/** Returns one page of the people who answered an agreement or have to answer it. An export counts no rows. */
export function selectAcceptancePage(
  campaign: CampaignScope,
  query: ListInput,
  { caller, timeZone, pageSize }: Reader,
  counts = true,
) {
  const { id } = campaign
  const states = conditionsOf(campaign)
  const { version } = query.filter
  const agreement = (column: 'version' | 'agreed_at' | 'ip') => sql`(select a.${sql.identifier(column)}
    from ${userAgreements} a where a.user_id = ${users}.id and a.document_id = ${id}
    ${version === undefined ? sql`` : sql`and a.version = ${version}`} order by a.version desc limit 1)`
  const date = sql`coalesce(${agreement('agreed_at')}, (select r.refused_at from ${userAgreementRefusals} r
    where r.user_id = ${users}.id and r.document_id = ${id}))`
  const anyState = sql`(${hasAgreed(campaign)} or ${hasRefused(campaign)} or ${isConcerned(campaign)})`
  const ofList = (where: SQL | undefined) => and(anyState, where)
  return cursorPage(
    query,
    pageSize,
    {
      list: `acceptances ${id}`,
      caller,
      sorts: { name: users.fio, date: { by: date, type: 'timestamptz', nullable: true } },
      tie: users.id,
      total: counts ? countedAtMost : 'none',
      filters: {
        search: matchesText,
        state: (state) => states[state],
        version: (agreedVersion) => hasAgreed(campaign, agreedVersion),
        dateFrom: (day) => gte(date, dayBegins(day, timeZone)),
        dateTo: (day) => lt(date, dayBegins(day, timeZone, 1)),
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
              state: sql<Acceptance['state']>`case when ${states.accepted} then 'accepted'
                when ${states.refused} then 'refused' when ${states.outstanding} then 'outstanding' else 'earlier' end`.as(
                'state',
              ),
              version: sql<number | null>`${agreement('version')}`.as('agreed_version'),
              date: sql<Date | null>`${date}`.mapWith(userAgreements.agreedAt).as('answered_at'),
              ip: sql<string | null>`${agreement('ip')}`.as('agreed_ip'),
              remindedAt: sql<Date | null>`(select m.reminded_at from ${agreementReminders} m
                where m.document_id = ${id} and m.version = ${campaign.version} and m.user_id = ${users}.id)`
                .mapWith(agreementReminders.remindedAt)
                .as('reminded_at'),
              keys: sql<Keys>`${keys}`.as('keys'),
            })
            .from(users)
            .$dynamic(),
          { ...parts, where: ofList(where) },
        ),
      count: (where, limit) => countRows(users, ofList(where), limit),
    },
  )
}

const remindedOf = ({ id, version }: CampaignScope) => sql`select m.user_id from ${agreementReminders} m
  where m.document_id = ${id} and m.version = ${version}`

/** Counts the answers to the current version. */
export async function countCampaign(campaign: CampaignScope) {
  const { accepted, refused: isRefused, outstanding } = conditionsOf(campaign)
  const concerns = isConcerned(campaign)
  const countWhere = (condition: SQL) => sql<number>`(count(*) filter (where ${condition}))::int`
  const [counts] = await db()
    .select({
      concerned: countWhere(concerns),
      agreed: countWhere(sql`${concerns} and ${accepted}`),
      refused: countWhere(sql`${concerns} and ${isRefused}`),
      left: countWhere(outstanding),
      unreachable: countWhere(sql`${outstanding} and ${users.email} is null`),
      reminded: countWhere(sql`${outstanding} and ${idIn(remindedOf(campaign))}`),
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
    .where(and(conditionsOf(campaign).outstanding, repeat ? undefined : sql`not ${idIn(remindedOf(campaign))}`))
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
    .where(and(eq(users.id, userId), conditionsOf(campaign).outstanding))
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
