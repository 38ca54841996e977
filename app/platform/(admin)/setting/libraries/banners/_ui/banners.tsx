import { getTranslations } from 'next-intl/server'
import { EnabledPill, Noted } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { Mono } from '@/components/ui/mono'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { type ListContext, readList } from '@/lib/request/list-page'
import type * as calls from '@/lib/site/banners/contract'
import { listBanners } from '@/lib/site/banners/service'
import { BannerRowMenu, CreateBanner } from './banner-parts'

type Props = ServiceInput<typeof calls.listBanners> & ListContext

/** The list with its search, filters and pager. */
export async function Banners({ ctx, query, address, mayWrite, kept }: Props) {
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
      kept={kept}
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
        {
          label: t('domains'),
          className: ({ domainsCount }) => (domainsCount > 0 ? 'tabular-nums' : 'text-ink-second'),
          cell: ({ domainsCount: count }) => (count > 0 ? t('inDomains', { count }) : t('noDomains')),
        },
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
