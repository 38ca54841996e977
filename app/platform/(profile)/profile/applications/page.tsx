import { getMessages, getTranslations } from 'next-intl/server'
import { ListPage } from '@/components/list/list-page'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import { pickMessages } from '@/lib/kernel/i18n/messages'
import type { PageSearch } from '@/lib/kernel/list-address'
import { UserApplicationQuery } from '@/lib/oidc/consents/contract'
import { Applications } from './_ui/applications'

export const generateMetadata = () => screenTitle('UserProfileApplications')

/** Which applications may learn something of the person. */
export default async function ApplicationsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const { user: _, ...list } = await listPageContext(
    UserApplicationQuery,
    '/platform/profile/applications',
    searchParams,
  )
  const [t, tShell, messages] = await Promise.all([
    getTranslations('user-applications'),
    getTranslations('shell'),
    getMessages(),
  ])
  return (
    <ListPage
      title={tShell('screens.UserProfileApplications')}
      lead={t('lead')}
      messages={pickMessages(messages, ['user-applications'])}
      columns={2}
    >
      <Applications {...list} />
    </ListPage>
  )
}
