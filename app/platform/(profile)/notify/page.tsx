import { getTranslations } from 'next-intl/server'
import type { ListFilter } from '@/components/list/filter'
import { List } from '@/components/list/list'
import { ListEmpty } from '@/components/list/list-empty'
import { ListFilters } from '@/components/list/list-filters'
import { isFiltered } from '@/components/list/list-link'
import { ListTools } from '@/components/list/list-tools'
import { Pager } from '@/components/list/pager'
import { notificationMark } from '@/components/notifications/feed'
import { FreshList } from '@/components/notifications/fresh-list'
import { NoticeList } from '@/components/notifications/notice-list'
import { ReadAll } from '@/components/notifications/read-all'
import { ScreenPage } from '@/components/shell/screen-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { NoticeQuery } from '@/lib/news/notifications/contract'
import { lastNotices, listNotices } from '@/lib/news/notifications/service'
import { listPageContext, readList } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'

export const generateMetadata = () => screenTitle('Notify')

/** The person's notifications, the newest first. */
export default async function NoticesPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const { ctx, query, address } = await listPageContext('Notify', NoticeQuery, searchParams)
  const [t, lastNotifications, { notices, unread, meta }] = await Promise.all([
    getTranslations('notices'),
    lastNotices(ctx),
    readList(address, (place) => listNotices(ctx, { query: { ...query, ...place } })),
  ])
  const filters: ListFilter[] = [
    {
      kind: 'choice',
      name: 'unread',
      label: t('filter'),
      options: [
        { value: 'true', label: t('onlyUnread') },
        { value: 'false', label: t('onlyRead') },
      ],
    },
  ]
  const isEmpty = lastNotifications.notices.length === 0 && !isFiltered(address)
  return (
    <ScreenPage name="Notify" texts="notices" action={unread > 0 ? <ReadAll /> : null}>
      <List>
        {isEmpty ? null : (
          <ListTools>
            <ListFilters address={address} filters={filters} />
          </ListTools>
        )}
        {notices.length > 0 ? (
          <NoticeList notices={notices} />
        ) : (
          <ListEmpty address={address} meta={meta} title={t('empty')} text={t('emptyText')} />
        )}
        <Pager cursor address={address} meta={meta} />
      </List>
      <FreshList mark={notificationMark(lastNotifications)} />
    </ScreenPage>
  )
}
