import { and, asc, count, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { chosen, countRows, paged, selectPage } from '@/db/list'
import { insertUnlessTaken, rowsById } from '@/db/rows'
import { userAgreements } from '@/db/schema/people'
import { documentLocales, documents, domainAgreements, domainDocuments, locales } from '@/db/schema/platform'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { textLocales } from '@/lib/base/i18n/choose-locale'
import type { DocumentText, listDocuments, searchDocuments } from './contract'
import { drawnKey } from './drawing'

type ListInput = ServiceInput<typeof listDocuments>['query']
type SearchInput = ServiceInput<typeof searchDocuments>['query']
type Executor = Database | Transaction

const ofCurrent = sql`from ${documentLocales} said join ${locales} spoken on spoken.id = said.locale_id
  where said.document_id = ${documents.id} and said.version = ${documents.version}`

/** A text of the current version: in the reader's language, else in the default one, else in any. */
const textIn = (column: 'name' | 'link_name', locale: string): SQL<string> =>
  sql`coalesce((select said.${sql.identifier(column)} ${ofCurrent}
    order by spoken.code = ${locale} desc, spoken.code = ${textLocales[0]} desc, spoken.code limit 1), ${documents.code})`

const nameIn = (locale: string) => textIn('name', locale)

const languages = sql<string[]>`array(select spoken.code ${ofCurrent}
  order by spoken.code = ${textLocales[0]} desc, spoken.code)`

const domainsCount = sql<number>`(select count(distinct used.domain_id)::int from (
  select domain_id from ${domainAgreements} where document_id = ${documents.id}
  union all select domain_id from ${domainDocuments} where document_id = ${documents.id}) used)`

const matchesText = (text: string) =>
  or(
    found(text, [documents.code]),
    sql`exists (select ${ofCurrent} and ${found(text, [sql`said.name`, sql`said.link_name`])})`,
  )

const columns = (locale: string) => ({
  id: documents.id,
  enabled: documents.enabled,
  code: documents.code,
  type: documents.type,
  adminVisible: documents.adminVisible,
  format: documents.format,
  version: documents.version,
  name: nameIn(locale),
  languages,
  domainsCount,
  date: documents.createdAt,
  updatedAt: documents.updatedAt,
})

/** Returns one page of documents, with their names in the language of `locale`. */
export const selectDocumentPage = (query: ListInput, pageSize: number | null, locale: string) =>
  selectPage(
    query,
    pageSize,
    {
      sorts: {
        name: nameIn(locale),
        code: documents.code,
        date: documents.createdAt,
        updatedAt: documents.updatedAt,
      },
      tie: documents.id,
      filters: {
        search: matchesText,
        type: (type) => eq(documents.type, type),
        enabled: (enabled) => eq(documents.enabled, enabled),
        adminVisible: (visible) => eq(documents.adminVisible, visible),
        locale: (id) => sql`exists (select ${ofCurrent} and said.locale_id = ${id})`,
      },
    },
    {
      rows: (parts) => paged(db().select(columns(locale)).from(documents).$dynamic(), parts),
      count: (where) => countRows(documents, where),
    },
  )

/** Returns a document as the list shows it; undefined if there is none. */
export async function selectDocument(id: string, locale: string) {
  const [row] = await db().select(columns(locale)).from(documents).where(eq(documents.id, id))
  return row
}

/** Returns the texts of a version, in the order of the locales' names. */
export const selectTexts = (run: Executor, documentId: string, version: number): Promise<DocumentText[]> =>
  run
    .select({
      localeId: documentLocales.localeId,
      name: documentLocales.name,
      linkName: documentLocales.linkName,
      content: documentLocales.content,
    })
    .from(documentLocales)
    .innerJoin(locales, eq(locales.id, documentLocales.localeId))
    .where(and(eq(documentLocales.documentId, documentId), eq(documentLocales.version, version)))
    .orderBy(sql`${locales.code} <> ${textLocales[0]}`, asc(locales.name), asc(locales.code))

/** Returns the drawn texts of the current versions of these documents, as HTML by format and content. */
export async function selectDrawn(codes: readonly string[]): Promise<Map<string, string>> {
  const { format, version } = documents
  const { content, html } = documentLocales
  const rows = await db()
    .select({ format, content, html })
    .from(documentLocales)
    .innerJoin(documents, and(eq(documents.id, documentLocales.documentId), eq(version, documentLocales.version)))
    .where(and(inArray(documents.code, [...codes]), isNotNull(html)))
  return new Map(rows.map((row) => [drawnKey(row.format, row.content), row.html ?? '']))
}

/** Returns whether a document has this code. */
export const isTaken = async (tx: Transaction, code: string) =>
  (await tx.select({ id: documents.id }).from(documents).where(eq(documents.code, code))).length > 0

/** Locks a document for a change and returns it with the texts of its current version; undefined if there is none. */
async function lockDocument(tx: Transaction, id: string) {
  const [row] = await tx.select().from(documents).where(eq(documents.id, id)).for('update')
  if (!row) return undefined
  return { ...row, locales: await selectTexts(tx, id, row.version) }
}

/** Inserts a document, unless another one has its code. */
export const insertDocument = insertUnlessTaken(documents)

/** A document is locked with its texts. */
export const documentRows = { ...rowsById(documents), lock: lockDocument }

/** Replaces the texts of a version. */
export async function storeTexts(
  tx: Transaction,
  documentId: string,
  version: number,
  texts: (DocumentText & { html: string })[],
) {
  await tx
    .delete(documentLocales)
    .where(and(eq(documentLocales.documentId, documentId), eq(documentLocales.version, version)))
  await tx.insert(documentLocales).values(texts.map((text) => ({ ...text, documentId, version })))
}

/** Returns those of these locales that exist, locked so that nobody deletes them before the commit. */
export async function selectKnownLocales(tx: Transaction, ids: string[]): Promise<Set<string>> {
  const rows = await tx.select({ id: locales.id }).from(locales).where(inArray(locales.id, ids)).for('key share')
  return new Set(rows.map(({ id }) => id))
}

/** Returns how many domains use a document as an agreement, and how many as another document. */
export async function countUses(tx: Transaction, id: string) {
  const [[agreements], [otherUses]] = await Promise.all([
    tx.select({ count: count() }).from(domainAgreements).where(eq(domainAgreements.documentId, id)),
    tx.select({ count: count() }).from(domainDocuments).where(eq(domainDocuments.documentId, id)),
  ])
  return { agreement: agreements?.count ?? 0, document: otherUses?.count ?? 0 }
}

/** Returns whether a person has agreed to any version of a document. */
export async function isAgreed(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: userAgreements.documentId })
    .from(userAgreements)
    .where(eq(userAgreements.documentId, id))
    .limit(1)
  return rows.length > 0
}

/** Returns documents for a search by name or code (at most 50) or by ids, sorted by name. */
export function selectDocumentOptions({ type, ...query }: SearchInput, locale: string) {
  const name = nameIn(locale)
  const linkName = textIn('link_name', locale)
  const { id, code, enabled } = documents
  const condition = and(type ? eq(documents.type, type) : undefined, query.ids ? undefined : documents.adminVisible)
  const select = db().select({ id, code, name, linkName, type: documents.type, enabled }).from(documents).$dynamic()
  return chosen(select, query, { id, called: matchesText, by: name, among: condition })
}
