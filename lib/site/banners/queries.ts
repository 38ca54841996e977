import { eq, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { chosen, countRows, paged, selectPage } from '@/db/list'
import { insertUnlessTaken, rowsById } from '@/db/rows'
import { banners, domainLocales } from '@/db/schema/platform'
import { found } from '@/db/search'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { listBanners, searchBanners } from './contract'

type ListInput = ServiceInput<typeof listBanners>['query']
type SearchInput = ServiceInput<typeof searchBanners>['query']

const domainsCount = sql<number>`(select count(distinct shown.domain_id)::int from ${domainLocales} shown
  where shown.settings -> 'banners' ? ${banners.id}::text)`

const called = (text: string) => found(text, [banners.title, banners.code, banners.text, banners.link])

/** Returns one page of banners, each with the number of domains that show it. */
export const selectBannerPage = (query: ListInput, pageSize: number | null) =>
  selectPage(
    query,
    pageSize,
    {
      sorts: { title: banners.title, code: banners.code, date: banners.createdAt, updatedAt: banners.updatedAt },
      tie: banners.id,
      filters: {
        search: called,
        visible: (visible) => eq(banners.visible, visible),
        used: (used) => (used ? sql`${domainsCount} > 0` : sql`${domainsCount} = 0`),
      },
    },
    {
      rows: (parts) =>
        paged(
          db()
            .select({
              id: banners.id,
              visible: banners.visible,
              title: banners.title,
              code: banners.code,
              text: banners.text,
              link: banners.link,
              domainsCount,
              date: banners.createdAt,
              updatedAt: banners.updatedAt,
            })
            .from(banners)
            .$dynamic(),
          parts,
        ),
      count: (where) => countRows(banners, where),
    },
  )

/** Inserts a banner, unless another one has its code. */
export const insertBanner = insertUnlessTaken(banners)

export const bannerRows = rowsById(banners)

/** Returns whether a domain shows a banner in any language. */
export async function isShown(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx
    .select({ id: domainLocales.domainId })
    .from(domainLocales)
    .where(sql`${domainLocales.settings} -> 'banners' ? ${id}::text`)
    .limit(1)
  return rows.length > 0
}

/**
 * Returns the banners with a title, code, text or link that contains the text (50 at most), or with these ids, sorted
 * by title.
 */
export const selectBannerOptions = (query: SearchInput) => {
  const { id, title, code, text, link, visible } = banners
  return chosen(db().select({ id, title, code, text, link, visible }).from(banners).$dynamic(), query, {
    id,
    called,
    by: title,
  })
}
