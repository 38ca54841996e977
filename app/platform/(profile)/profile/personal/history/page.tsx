import { getMessages, getTranslations } from 'next-intl/server'
import { Suspense } from 'react'
import { HistoryList } from '@/components/history/history-list'
import { HistorySkeleton } from '@/components/history/history-skeleton'
import { PageMessages } from '@/components/shell/page-messages'
import { PageHeader } from '@/components/ui/page-header'
import { listPageContext, readList } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import { pickMessages } from '@/lib/kernel/i18n/messages'
import type { PageSearch } from '@/lib/kernel/list-address'
import { HistoryQuery } from '@/lib/operations/history/contract'
import { ownHistory } from '@/lib/operations/history/service'
import { PersonalTabs } from '../_ui/personal-tabs'

export const generateMetadata = () => screenTitle('UserProfileHistory')

/** What was done to the person's own account, by whom, the newest first. */
export default async function OwnHistoryPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('UserProfileHistory', HistoryQuery, searchParams)
  const [t, tProfile, messages] = await Promise.all([
    getTranslations('account'),
    getTranslations('profile'),
    getMessages(),
  ])
  return (
    <PageMessages messages={pickMessages(messages, ['account', 'history'])}>
      <div className="grid max-w-[56rem] gap-5">
        <PageHeader title={tProfile('personal')} text={t('lead')} />
        <PersonalTabs current="history" />
        <Suspense fallback={<HistorySkeleton />}>
          <Acts {...list} />
        </Suspense>
      </div>
    </PageMessages>
  )
}

async function Acts({ ctx, query, address }: Awaited<ReturnType<typeof listPageContext<typeof HistoryQuery>>>) {
  const history = await readList(address, (place) => ownHistory(ctx, { ...query, ...place }))
  return <HistoryList address={address} {...history} />
}
