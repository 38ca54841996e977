import { and, asc, eq, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { countRows, paged, selectPage } from '@/db/list'
import { rowsById } from '@/db/rows'
import { documentLocales, domainLocales, domains, locales } from '@/db/schema/platform'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { listLocales } from './contract'

export const selectEnabledLocales = () =>
  db()
    .select({ id: locales.id, code: locales.code, name: locales.name })
    .from(locales)
    .where(eq(locales.enabled, true))
    .orderBy(asc(locales.name), asc(locales.code))

type ListInput = ServiceInput<typeof listLocales>['query']

const domainsCount = sql<number>`(select count(*)::int from ${domainLocales} offered
  where offered.locale_id = ${locales.id} and offered.enabled)`

/** Returns one page of languages, each with the number of domains that offer it. */
export const selectLocalePage = (query: ListInput, pageSize: number | null) =>
  selectPage(
    query,
    pageSize,
    {
      sorts: { name: locales.name, code: locales.code, updatedAt: locales.updatedAt },
      tie: locales.id,
      filters: {
        search: (text) => found(text, [locales.name, locales.code]),
        enabled: (enabled) => eq(locales.enabled, enabled),
      },
    },
    {
      rows: (parts) =>
        paged(
          db()
            .select({
              id: locales.id,
              name: locales.name,
              code: locales.code,
              enabled: locales.enabled,
              immutable: locales.immutable,
              domainsCount,
              updatedAt: locales.updatedAt,
            })
            .from(locales)
            .$dynamic(),
          parts,
        ),
      count: (where) => countRows(locales, where),
    },
  )

export const localeRows = rowsById(locales)

/** Returns whether a domain or a document has this language. */
export async function isLocaleUsed(tx: Transaction, id: string): Promise<boolean> {
  const { rows } = await tx.execute<{ used: boolean }>(sql`select
    exists (select from ${domainLocales} where ${domainLocales.localeId} = ${id})
    or exists (select from ${documentLocales} where ${documentLocales.localeId} = ${id}) as used`)
  return rows[0]?.used === true
}

/**
 * Returns whether this is the only enabled language of the base domain. Locks the enabled languages of the base domain,
 * so that two people can't disable the last two.
 */
export async function isLastLocale(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: locales.id })
    .from(locales)
    .innerJoin(domainLocales, and(eq(domainLocales.localeId, locales.id), domainLocales.enabled))
    .innerJoin(domains, and(eq(domains.id, domainLocales.domainId), domains.base))
    .where(eq(locales.enabled, true))
    .orderBy(asc(locales.id))
    .for('update', { of: locales })
  return rows.length === 1 && rows[0]?.id === id
}
