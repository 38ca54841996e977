import { getTranslations } from 'next-intl/server'
import { domainsColumn, EnabledPill, Noted } from '@/components/list/columns'
import { ListPage } from '@/components/list/list-page'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { type ListOf, listPageContext, readList } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { BannerQuery } from '@/lib/site/banners/contract'
import { listBanners } from '@/lib/site/banners/service'
import { BannerRowMenu, CreateBanner } from './_ui/banner-parts'

export const generateMetadata = () => screenTitle('PlatformLibrariesBanners')

/** The banners. */
export default async function BannersPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformLibrariesBanners', BannerQuery, searchParams)
  return (
    <ListPage name={list.name} texts="banners" action={list.mayWrite ? <CreateBanner /> : null} columns={5}>
      <Banners {...list} />
    </ListPage>
  )
}

async function Banners({ ctx, query, address, mayWrite, chosenColumns }: ListOf<typeof BannerQuery>) {
  const [t, { banners: rows, meta }] = await Promise.all([
    getTranslations('banners'),
    readList(address, (place) => listBanners(ctx, { query: { ...query, ...place } })),
  ])
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      rows={rows}
      chosenColumns={chosenColumns}
      caption={t('caption')}
      search={t('search')}
      filters={[
        { kind: 'yesNo', name: 'visible', label: t('visible') },
        { kind: 'yesNo', name: 'used', label: t('used') },
      ]}
      empty={{ title: t('emptyTitle'), text: t('emptyText'), action: mayWrite ? <CreateBanner /> : null }}
      columns={[
        {
          title: true,
          by: 'title',
          label: t('title'),
          cell: ({ title, text }) => <Noted note={text}>{title}</Noted>,
        },
        { by: 'code', label: t('code'), priority: 2, cell: ({ code }) => <Mono>{code}</Mono> },
        {
          label: t('visible'),
          cell: ({ visible }) => <EnabledPill enabled={visible} on={t('on')} off={t('off')} />,
        },
        domainsColumn(t('domains'), (count) => (count > 0 ? t('inDomains', { count }) : t('noDomains'))),
        {
          name: 'date',
          by: 'date',
          first: 'desc',
          label: t('date'),
          priority: 2,
          className: 'text-ink-second',
          cell: ({ date }) => <DateTime value={date} />,
        },
      ]}
      menu={mayWrite ? (banner) => <BannerRowMenu banner={banner} name={banner.title} /> : undefined}
    />
  )
}
