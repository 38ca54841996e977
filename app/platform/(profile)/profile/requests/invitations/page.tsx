import { getTranslations } from 'next-intl/server'
import { StreamedPart } from '@/components/hydration/streamed-part'
import { List } from '@/components/list/list'
import { TableSkeleton } from '@/components/list/table-skeleton'
import { notificationMark } from '@/components/notifications/feed'
import { FreshList } from '@/components/notifications/fresh-list'
import { ScreenPage } from '@/components/shell/screen-page'
import { LinkTabs } from '@/components/ui/link-tabs'
import { holdsMethod } from '@/lib/base/context/access'
import { type PageSearch, readListAddress } from '@/lib/base/lists/list-address'
import { screenNamed } from '@/lib/base/navigation/screens'
import { OwnInvitationQuery } from '@/lib/joining/received-invitations/contract'
import { countOpenInvitations } from '@/lib/joining/received-invitations/service'
import { SentInvitationQuery } from '@/lib/joining/sent-invitations/contract'
import { lastNotices } from '@/lib/news/notifications/service'
import { inTab, wholeSearch } from '@/lib/request/list-tab'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import { InviteFromFile } from './_ui/from-file'
import { Invite } from './_ui/invite'
import { OwnInvitations } from './_ui/own-invitations'
import { SentInvitations } from './_ui/sent-invitations'

export const generateMetadata = () => screenTitle('UserProfileInvitationsRequests')

/** The invitations to the person, and for managers those to their companies. */
export default async function InvitationsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/profile/requests/invitations', wholeSearch(await searchParams))
  const { path } = screenNamed('UserProfileInvitationsRequests')
  const { tab, ...search } = await searchParams
  const manages = holdsMethod(user, 'masterAccountAccess')
  const incoming = !manages || tab === 'incoming'
  const [t, openInvitations, lastNotifications] = await Promise.all([
    getTranslations('invitations'),
    manages ? countOpenInvitations(ctx) : 0,
    lastNotices(ctx),
  ])
  const tabs = [
    { href: path, label: t('outgoing') },
    { href: `${path}?tab=incoming`, label: t('incoming'), badge: openInvitations },
  ]
  const ownList = readListAddress(OwnInvitationQuery, path, search)
  const sentList = readListAddress(SentInvitationQuery, path, search)
  const invite = (
    <>
      <InviteFromFile />
      <span className="flex @max-[28rem]:order-first @max-[28rem]:w-full @max-[28rem]:*:grow">
        <Invite />
      </span>
    </>
  )
  return (
    <ScreenPage
      name="UserProfileInvitationsRequests"
      texts="invitations"
      more={['invitation-import', 'runs']}
      text={incoming ? t('incomingLead') : undefined}
      action={incoming ? null : invite}
    >
      {manages ? <LinkTabs label={t('tabs')} tabs={tabs} current={incoming ? `${path}?tab=incoming` : path} /> : null}
      <List key={incoming ? 'incoming' : 'outgoing'}>
        <StreamedPart fallback={<TableSkeleton columns={5} />}>
          {incoming ? (
            <OwnInvitations
              ctx={ctx}
              query={ownList.query}
              address={manages ? inTab(ownList.address, 'incoming') : ownList.address}
            />
          ) : (
            <SentInvitations ctx={ctx} query={sentList.query} address={sentList.address} />
          )}
        </StreamedPart>
      </List>
      {incoming ? <FreshList mark={notificationMark(lastNotifications)} /> : null}
    </ScreenPage>
  )
}
