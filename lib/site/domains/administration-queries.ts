import { and, asc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { administrators } from '@/db/held-roles'
import { chosen, countRows, paged, selectPage } from '@/db/list'
import { rowsById } from '@/db/rows'
import { providerDomains, users } from '@/db/schema/people'
import {
  applicationDomains,
  banners,
  deviceTypes,
  documents,
  domainAgreements,
  domainAliases,
  domainDocuments,
  domainLocales,
  domains,
  draftSources,
  locales,
} from '@/db/schema/platform'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { DomainInput, LocaleEntry, listDomains, searchDomains } from './contract'

type Run = Database | Transaction
export type DomainValues = Omit<DomainInput, 'base' | 'domains'> & { domains: string[] }

/** Returns SQL: whether the comment or a host name of a domain contains the text. */
const called = (text: string) =>
  or(
    found(text, [domains.comment]),
    sql`exists (select 1 from domain_aliases a where a.domain_id = domains.id and ${found(text, [sql`a.host`])})`,
  )

// written with table names, which Drizzle leaves out in a select of one table
const aliasesOf = sql<string[]>`array(select a.host from domain_aliases a
  where a.domain_id = domains.id order by a."order", a.host)`

const localesOf = sql<string[]>`array(select l.code from domain_locales d
  join locales l on l.id = d.locale_id and l.enabled
  where d.domain_id = domains.id and d.enabled order by d."order", l.code)`

const columns = {
  id: domains.id,
  type: domains.type,
  base: domains.base,
  enabled: domains.enabled,
  comment: domains.comment,
  aliases: aliasesOf,
  imageCode: domains.imageCode,
  styleTemplate: domains.styleTemplate,
  publicDocsUrl: sql<string>`coalesce(${domains.publicDocsUrl}, '')`,
  baseSettings: domains.baseSettings,
  cookie: domains.cookie,
  timeZone: sql<string>`coalesce(${domains.timeZone}, '')`,
  updatedAt: domains.updatedAt,
}

/** Returns one page of domains with their host names and the codes of their languages. */
export const selectDomainPage = (query: ServiceInput<typeof listDomains>['query'], pageSize: number | null) =>
  selectPage(
    query,
    pageSize,
    {
      sorts: { comment: domains.comment, updatedAt: domains.updatedAt },
      tie: domains.id,
      filters: {
        search: called,
        enabled: (enabled) => eq(domains.enabled, enabled),
        type: (type) => eq(domains.type, type),
      },
    },
    {
      rows: (parts) =>
        paged(
          db()
            .select({ ...columns, locales: localesOf })
            .from(domains)
            .$dynamic(),
          parts,
        ),
      count: (where) => countRows(domains, where),
    },
  )

/** Returns the languages of a domain, or those of the base domain, with their texts. */
export async function selectDomainLocales(run: Run, domain: { id: string } | 'base'): Promise<LocaleEntry[]> {
  const rows = await run
    .select({
      localeId: domainLocales.localeId,
      order: domainLocales.order,
      enabled: domainLocales.enabled,
      settings: domainLocales.settings,
    })
    .from(domainLocales)
    .innerJoin(domains, eq(domains.id, domainLocales.domainId))
    .where(domain === 'base' ? eq(domains.base, true) : eq(domains.id, domain.id))
    .orderBy(asc(domainLocales.order), asc(domainLocales.localeId))
  return rows.map(({ settings, ...row }) => {
    const { projectTitle, projectName, copyright, siteName, siteLink, banners: bannerIds, technical } = settings
    const contacts = technical.map(({ title, text, link, mobile = '' }) => ({ title, text, link, mobile }))
    return {
      ...row,
      settings: { projectTitle, projectName, copyright, siteName, siteLink, banners: bannerIds, technical: contacts },
    }
  })
}

/** Returns a whole domain; undefined if there is none. */
export async function selectDomain(run: Run, id: string) {
  const [row] = await run
    .select({ ...columns, devicesIdAttributes: domains.devicesIdAttributes, logoId: domains.logoId })
    .from(domains)
    .where(eq(domains.id, id))
  if (!row) return undefined
  const agreements = await run
    .select({
      agreementId: domainAgreements.documentId,
      menuVisible: domainAgreements.menuVisible,
      footerVisible: domainAgreements.footerVisible,
      loginRequired: domainAgreements.loginRequired,
      profileVisible: domainAgreements.profileVisible,
    })
    .from(domainAgreements)
    .where(eq(domainAgreements.domainId, id))
    .orderBy(asc(domainAgreements.order), asc(domainAgreements.documentId))
  const otherDocuments = await run
    .select({ id: domainDocuments.documentId })
    .from(domainDocuments)
    .where(eq(domainDocuments.domainId, id))
    .orderBy(asc(domainDocuments.order), asc(domainDocuments.documentId))
  const sources = await run
    .select({ id: draftSources.domainId })
    .from(draftSources)
    .where(eq(draftSources.draftId, id))
    .orderBy(asc(draftSources.order), asc(draftSources.domainId))
  return {
    ...row,
    agreements,
    domains: sources.map((source) => source.id),
    documents: otherDocuments.map((document) => document.id),
    locales: await selectDomainLocales(run, { id }),
  }
}

/**
 * Locks the base domain, so that changes of domains run one after another: two of them could add the same host name.
 */
export const lockDomains = (tx: Transaction) =>
  tx.select({ id: domains.id }).from(domains).where(eq(domains.base, true)).for('no key update')

/** Returns the host names among these that other domains than `id` have. */
export async function selectTakenHosts(tx: Transaction, id: string, hosts: string[]): Promise<string[]> {
  if (hosts.length === 0) return []
  const rows = await tx
    .select({ host: domainAliases.host })
    .from(domainAliases)
    .where(and(inArray(domainAliases.host, hosts), ne(domainAliases.domainId, id)))
  return rows.map(({ host }) => host)
}

const kinds = { agreements: documents, documents, locales, banners, deviceTypes, domains }

/**
 * Returns which of these ids exist, in lower case. The kind `agreements` finds only agreements, and the kind
 * `documents` only other documents.
 */
export async function selectExisting(tx: Transaction, kind: keyof typeof kinds, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const table = kinds[kind]
  const isOfType =
    kind === 'agreements'
      ? eq(documents.type, 'agreement')
      : kind === 'documents'
        ? eq(documents.type, 'document')
        : undefined
  const rows = await tx
    .select({ id: table.id })
    .from(table)
    .where(and(inArray(table.id, ids), isOfType))
    // the rows can't be deleted before the commit
    .for('key share')
  return new Set(rows.map(({ id }) => id))
}

/** Inserts a domain, or replaces it with all its dependent rows. */
export async function storeDomain(tx: Transaction, id: string, domain: DomainValues, createdAt: Date) {
  const { aliases, documents: otherDocuments, agreements, locales: localeEntries, domains: sources, ...fields } = domain
  const values = { ...fields, publicDocsUrl: fields.publicDocsUrl || null, timeZone: fields.timeZone || null }
  await tx
    .insert(domains)
    .values({ id, ...values, createdAt })
    .onConflictDoUpdate({ target: domains.id, set: values })
  for (const table of [domainAliases, domainDocuments, domainAgreements, domainLocales])
    await tx.delete(table).where(eq(table.domainId, id))
  await tx.delete(draftSources).where(eq(draftSources.draftId, id))
  const domainId = id
  if (sources.length > 0)
    await tx.insert(draftSources).values(sources.map((source, order) => ({ draftId: id, domainId: source, order })))
  if (aliases.length > 0)
    await tx.insert(domainAliases).values(aliases.map((host, order) => ({ host, domainId, order })))
  if (otherDocuments.length > 0)
    await tx
      .insert(domainDocuments)
      .values(otherDocuments.map((documentId, order) => ({ documentId, domainId, order })))
  if (agreements.length > 0)
    await tx
      .insert(domainAgreements)
      .values(
        agreements.map(({ agreementId, ...flags }, order) => ({ ...flags, documentId: agreementId, domainId, order })),
      )
  if (localeEntries.length > 0)
    await tx.insert(domainLocales).values(localeEntries.map((entry) => ({ ...entry, domainId })))
}

/** Returns whether an application or a provider is limited to this domain. */
export async function isLimitedTo(tx: Transaction, id: string): Promise<boolean> {
  const { rows } = await tx.execute<{ used: boolean }>(
    sql`select exists (select 1 from ${applicationDomains} where ${applicationDomains.domainId} = ${id})
      or exists (select 1 from ${providerDomains} where ${providerDomains.domainId} = ${id}) as used`,
  )
  return rows[0]?.used === true
}

/** Returns the id of the base domain. */
export async function selectBaseId(tx: Transaction): Promise<string> {
  const [row] = await tx.select({ id: domains.id }).from(domains).where(eq(domains.base, true))
  return row?.id as string
}

export const domainRows = rowsById(domains)

/**
 * Returns the domains with a comment or host name that contains the text (50 at most), or with these ids, sorted by
 * comment.
 */
export const selectDomainOptions = (query: ServiceInput<typeof searchDomains>['query']) =>
  chosen(
    db()
      .select({ id: domains.id, comment: domains.comment, base: domains.base, aliases: aliasesOf })
      .from(domains)
      .$dynamic(),
    query,
    { id: domains.id, called, by: domains.comment },
  )

/** Returns the ids of the enabled administrators, without `exceptId`. */
export async function selectAdministratorIds(tx: Transaction, exceptId: string | null): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select ${users.id} as id from ${users}
    where ${users.enabled} and ${users.id} in (select held.user_id from ${administrators} held)
      and ${users.id} is distinct from ${exceptId}::uuid
    order by ${users.id}`)
  return rows.map(({ id }) => id)
}
