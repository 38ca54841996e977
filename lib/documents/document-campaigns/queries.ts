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

type Run = Database | Transaction
type ListInput = ServiceInput<typeof listAcceptances>['query']

/** Above it the list says "more than". */
const countedAtMost = 10_000

/** Returns a document; undefined if there is none. With `shared` nobody changes its version meanwhile. */
export async function selectDocument(run: Run, id: string, shared = false) {
  const { code, type, enabled, version, versionAt, createdAt } = documents
  const found = run
    .select({ code, type, enabled, version, versionAt, createdAt })
    .from(documents)
    .where(eq(documents.id, id))
  const [row] = await (shared ? found.for('share') : found)
  return row
}

/** Returns the names of a version, by the codes of their languages. */
export async function selectNames(run: Run, documentId: string, version: number): Promise<Record<string, string>> {
  const rows = await run
    .select({ locale: locales.code, name: documentLocales.name })
    .from(documentLocales)
    .innerJoin(locales, eq(locales.id, documentLocales.localeId))
    .where(and(eq(documentLocales.documentId, documentId), eq(documentLocales.version, version)))
  return Object.fromEntries(rows.map(({ locale, name }) => [locale, name]))
}

/** Returns the domains that ask for a document at sign-in, served or not. */
export async function selectAsking(run: Run, documentId: string): Promise<string[]> {
  const rows = await run
    .select({ id: domainAgreements.domainId })
    .from(domainAgreements)
    .where(and(eq(domainAgreements.documentId, documentId), domainAgreements.loginRequired))
  return rows.map(({ id }) => id)
}

/** The document, its current version, and where people are asked for it. */
export type Asked = {
  id: string
  version: number
  /** The served domains that ask for it, all that are served, and the base one. */
  asking: readonly string[]
  served: readonly string[]
  base: string
}

const uuids = (ids: readonly string[]) => sql`any(${sql.param([...ids])}::uuid[])`

/** Whom a document concerns (docs/rules/agreements.md#whom-a-campaign-concerns). */
function concerned(asked: Asked): SQL {
  if (asked.asking.length === 0) return sql`false`
  if (asked.asking.length === asked.served.length) return sql`${users}.enabled`
  return sql`(${users}.enabled and ${personDomain(asked)} = ${uuids(asked.asking)})`
}

const among = (rows: SQL) => sql`${users}.id in (${rows})`
const agreedTo = ({ id }: Asked, version?: number) =>
  among(sql`select a.user_id from ${userAgreements} a where a.document_id = ${id}
    ${version === undefined ? sql`` : sql`and a.version = ${version}`}`)
const refused = ({ id }: Asked) =>
  among(sql`select r.user_id from ${userAgreementRefusals} r where r.document_id = ${id}`)

const conditionsOf = (asked: Asked): Record<Acceptance['state'], SQL> => {
  const accepted = agreedTo(asked, asked.version)
  const isRefused = sql`(${refused(asked)} and not ${accepted})`
  const unanswered = sql`not ${accepted} and not ${refused(asked)}`
  return {
    accepted,
    refused: isRefused,
    outstanding: sql`(${concerned(asked)} and ${unanswered})`,
    earlier: sql`(${agreedTo(asked)} and ${unanswered} and not ${concerned(asked)})`,
  }
}

/** Words of what an account is called; one of less than three letters that stands alone is at the beginning. */
const called = (text: string) => found(text, [users.fio, users.login, users.email], { indexed: true })

export type Reader = { caller: string; timeZone: string; pageSize: number | null }

/** Returns one page of the people who answered an agreement or are asked for it. An export counts nothing. */
export function selectAcceptancePage(
  asked: Asked,
  query: ListInput,
  { caller, timeZone, pageSize }: Reader,
  counts = true,
) {
  const { id } = asked
  const states = conditionsOf(asked)
  const { version } = query.filter
  const agreement = (column: 'version' | 'agreed_at' | 'ip') => sql`(select a.${sql.identifier(column)}
    from ${userAgreements} a where a.user_id = ${users}.id and a.document_id = ${id}
    ${version === undefined ? sql`` : sql`and a.version = ${version}`} order by a.version desc limit 1)`
  const date = sql`coalesce(${agreement('agreed_at')}, (select r.refused_at from ${userAgreementRefusals} r
    where r.user_id = ${users}.id and r.document_id = ${id}))`
  const all = sql`(${agreedTo(asked)} or ${refused(asked)} or ${concerned(asked)})`
  const within = (where: SQL | undefined) => and(all, where)
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
        search: called,
        state: (state) => states[state],
        version: (one) => agreedTo(asked, one),
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
                where m.document_id = ${id} and m.version = ${asked.version} and m.user_id = ${users}.id)`
                .mapWith(agreementReminders.remindedAt)
                .as('reminded_at'),
              keys: sql<Keys>`${keys}`.as('keys'),
            })
            .from(users)
            .$dynamic(),
          { ...parts, where: within(where) },
        ),
      count: (where, atMost) => countRows(users, within(where), atMost),
    },
  )
}

const remindedOf = ({ id, version }: Asked) => sql`select m.user_id from ${agreementReminders} m
  where m.document_id = ${id} and m.version = ${version}`

/** Counts how far people are with the current version. */
export async function countCampaign(asked: Asked) {
  const { accepted, refused: isRefused, outstanding } = conditionsOf(asked)
  const is = concerned(asked)
  const many = (condition: SQL) => sql<number>`(count(*) filter (where ${condition}))::int`
  const [counts] = await db()
    .select({
      concerned: many(is),
      agreed: many(sql`${is} and ${accepted}`),
      refused: many(sql`${is} and ${isRefused}`),
      left: many(outstanding),
      unreachable: many(sql`${outstanding} and ${users.email} is null`),
      reminded: many(sql`${outstanding} and ${among(remindedOf(asked))}`),
    })
    .from(users)
  const [last] = await db()
    .select({ at: sql<Date | null>`max(${agreementReminders.remindedAt})`.mapWith(agreementReminders.remindedAt) })
    .from(agreementReminders)
    .where(and(eq(agreementReminders.documentId, asked.id), eq(agreementReminders.version, asked.version)))
  if (!counts) throw new Error('a count returned no row')
  return { ...counts, remindedAt: last?.at ?? null }
}

/** Returns how many people agreed to each version, the newest first. */
export const countVersions = (documentId: string) =>
  db()
    .select({ version: userAgreements.version, accepted: sql<number>`count(*)::int` })
    .from(userAgreements)
    .where(eq(userAgreements.documentId, documentId))
    .groupBy(userAgreements.version)
    .orderBy(desc(userAgreements.version))

/** Returns who is left, at most so many; without `repeat` those whom nobody has reminded of this version. */
export const selectLeft = (tx: Transaction, asked: Asked, repeat: boolean, atMost: number) =>
  tx
    .select({ id: users.id, name: users.fio, login: users.login })
    .from(users)
    .where(and(conditionsOf(asked).outstanding, repeat ? undefined : sql`not ${among(remindedOf(asked))}`))
    .orderBy(users.fio, users.id)
    .limit(atMost)

/** Returns a person who is still left, with their domain, and keeps the account until the end; undefined for others. */
export async function selectStillLeft(tx: Transaction, asked: Asked, userId: string) {
  const [row] = await tx
    .select({
      email: users.email,
      name: users.firstName,
      lang: sql<
        string | null
      >`coalesce((select s.lang from ${userSettings} s where s.user_id = ${users}.id), ${users.locale})`,
      domainId: personDomain(asked),
    })
    .from(users)
    .where(and(eq(users.id, userId), conditionsOf(asked).outstanding))
    .for('key share')
  return row
}

/** Notes that a person is reminded now; false if they were before and it isn't to be repeated. */
export async function noteReminder(
  tx: Transaction,
  row: Pick<typeof agreementReminders.$inferInsert, 'documentId' | 'version' | 'userId' | 'remindedAt'>,
  repeat: boolean,
): Promise<boolean> {
  const { documentId, version, userId, times } = agreementReminders
  const target = [documentId, version, userId]
  const insert = tx.insert(agreementReminders).values(row)
  const noted = await (repeat
    ? insert.onConflictDoUpdate({ target, set: { times: sql`${times} + 1`, remindedAt: row.remindedAt } })
    : insert.onConflictDoNothing({ target })
  ).returning({ userId })
  return noted.length > 0
}

/** Returns whether an account exists and is enabled. */
export async function isEnabled(tx: Transaction, userId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), users.enabled))
  return rows.length > 0
}
