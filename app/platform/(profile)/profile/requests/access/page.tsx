import { getTranslations } from 'next-intl/server'
import { StreamedPart } from '@/components/hydration/streamed-part'
import { List } from '@/components/list/list'
import { TableSkeleton } from '@/components/list/table-skeleton'
import { notificationMark } from '@/components/notifications/feed'
import { FreshList } from '@/components/notifications/fresh-list'
import { ScreenPage } from '@/components/shell/screen-page'
import { Alert } from '@/components/ui/alert'
import { LinkTabs } from '@/components/ui/link-tabs'
import { TextLink } from '@/components/ui/text-link'
import { userServices } from '@/lib/applications/menu/service'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx, CtxUser } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { type PageSearch, readListAddress } from '@/lib/base/lists/list-address'
import { screenNamed } from '@/lib/base/navigation/screens'
import { AccessRequestQuery } from '@/lib/companies/access-requests/contract'
import { countWaiting } from '@/lib/companies/access-requests/service'
import { lastNotices } from '@/lib/news/notifications/service'
import { inTab, wholeSearch } from '@/lib/request/list-tab'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import { projectInfo } from '@/lib/site/project-info/service'
import { AskForAccess } from './_ui/ask-button'
import { Incoming } from './_ui/incoming'
import { incomingLead } from './_ui/incoming-lead'
import { Outgoing } from './_ui/outgoing'

export const generateMetadata = () => screenTitle('UserProfileAccessRequests')

/** The person's own requests for access, and for managers those of other people on which they decide. */
export default async function AccessRequestsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/profile/requests/access', wholeSearch(await searchParams))
  const { path } = screenNamed('UserProfileAccessRequests')
  const { tab, application, ...search } = await searchParams
  const wished = typeof application === 'string' ? application : undefined
  const manages = holdsMethod(user, 'masterAccountAccess')
  const incoming = manages && tab === 'incoming'
  const read = readListAddress(AccessRequestQuery, path, search)
  const list = { ctx, query: read.query, address: incoming ? inTab(read.address, 'incoming') : read.address }
  const [t, { uiSettings }, waitingCount, lastNotifications] = await Promise.all([
    getTranslations('access-requests'),
    projectInfo(ctx.domain),
    manages ? countWaiting(ctx) : 0,
    lastNotices(ctx),
  ])
  const ask = uiSettings.accessRequests ? <AskForAccess application={wished} /> : null
  const tabs = [
    { href: path, label: t('outgoing') },
    { href: `${path}?tab=incoming`, label: t('incoming'), badge: waitingCount },
  ]
  return (
    <ScreenPage
      name="UserProfileAccessRequests"
      texts="access-requests"
      more={['requisites']}
      text={incoming ? incomingLead(t, read.query) : undefined}
      action={incoming ? null : ask}
    >
      {manages ? <LinkTabs label={t('tabs')} tabs={tabs} current={incoming ? `${path}?tab=incoming` : path} /> : null}
      {wished && !incoming ? <OpenedService ctx={ctx} user={user} application={wished} /> : null}
      <List key={incoming ? 'incoming' : 'outgoing'}>
        <StreamedPart fallback={<TableSkeleton columns={5} />}>
          {incoming ? <Incoming {...list} /> : <Outgoing {...list} ask={ask} open={uiSettings.accessRequests} />}
        </StreamedPart>
      </List>
      {/* the person gets a notification of each decision; for the manager the rows stay as they are */}
      {incoming ? null : <FreshList mark={notificationMark(lastNotifications)} />}
    </ScreenPage>
  )
}

/** The link back to the service for which the person came, after they got access to it. */
async function OpenedService({ ctx, user, application }: { ctx: Ctx; user: CtxUser; application: string }) {
  const [t, services] = await Promise.all([getTranslations('access-requests'), userServices(user, ctx.domain)])
  const service = services.find(({ code }) => code === application)
  if (!service) return null
  const name = localName(service, ctx.locale)
  return (
    <Alert tone="ok" title={t('openedTitle', { service: name })}>
      <TextLink href={service.serviceUrl}>{t('openedLink', { service: name })}</TextLink>
    </Alert>
  )
}
