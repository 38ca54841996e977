import { getTranslations } from 'next-intl/server'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { Pill } from '@/components/ui/pill'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type * as calls from '@/lib/news/news/contract'
import { type Audience, audiences, newsStatuses } from '@/lib/news/news/kinds'
import { listNews } from '@/lib/news/news/service'
import { type ListContext, readList } from '@/lib/request/list-page'
import { CreateNews, NewsRowMenu } from './news-parts'

type Props = ServiceInput<typeof calls.listNews> & ListContext & { offered: readonly Audience[] }

const tones = { draft: 'neutral', published: 'ok', withdrawn: 'warning' } as const

/** The list with its search, filters and pager. */
export async function News({ ctx, query, address, mayWrite, chosenColumns, offered }: Props) {
  const [t, { news: rows, meta }] = await Promise.all([
    getTranslations('news'),
    readList(address, (place) => listNews(ctx, { query: { ...query, ...place } })),
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
        {
          kind: 'choice',
          name: 'status',
          label: t('status'),
          options: newsStatuses.map((value) => ({ value, label: t(`statuses.${value}`) })),
        },
        {
          kind: 'choice',
          name: 'audience',
          label: t('audience'),
          options: audiences.map((value) => ({ value, label: t(`audiences.${value}`) })),
        },
      ]}
      empty={{
        title: t('emptyTitle'),
        text: t('emptyText'),
        action: mayWrite ? <CreateNews offered={offered} /> : null,
      }}
      columns={[
        {
          title: true,
          by: 'title',
          label: t('title'),
          cell: ({ title, languages }) => (
            <>
              {title}
              <span className="block font-normal text-ink-second text-note">{languages.join(', ')}</span>
            </>
          ),
        },
        {
          label: t('status'),
          cell: ({ status, telling }) => (
            <Pill tone={tones[status]}>{telling ? t('telling') : t(`statuses.${status}`)}</Pill>
          ),
        },
        {
          name: 'audience',
          label: t('audience'),
          cell: ({ audience, audienceName }) => (
            <>
              {t(`audiences.${audience}`)}
              {audienceName ? <span className="block text-ink-second text-note">{audienceName}</span> : null}
            </>
          ),
        },
        {
          name: 'reached',
          by: 'reached',
          first: 'desc',
          label: t('reached'),
          className: ({ status }) => (status === 'draft' ? 'text-ink-second' : 'tabular-nums'),
          cell: ({ status, reached, mailed }) =>
            status === 'draft' ? (
              t('nobodyYet')
            ) : (
              <>
                {t('people', { count: reached })}
                {mailed > 0 ? (
                  <span className="block text-ink-second text-note">{t('byMail', { count: mailed })}</span>
                ) : null}
              </>
            ),
        },
        {
          name: 'publishedAt',
          by: 'publishedAt',
          first: 'desc',
          label: t('publishedAt'),
          priority: 2,
          className: 'text-ink-second',
          cell: ({ publishedAt }) => (publishedAt ? <DateTime value={publishedAt} /> : '—'),
        },
        {
          name: 'date',
          by: 'date',
          first: 'desc',
          label: t('date'),
          priority: 3,
          className: 'text-ink-second',
          cell: ({ date }) => <DateTime value={date} />,
        },
      ]}
      menu={(row) => <NewsRowMenu news={row} name={row.title} mayWrite={mayWrite} offered={offered} />}
    />
  )
}
