import { User as Person } from 'lucide-react'
import { getMessages, getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { Card } from '@/components/card/card'
import { CardList } from '@/components/card/card-list'
import { EnabledPill } from '@/components/list/columns'
import { PageMessages } from '@/components/shell/page-messages'
import { readUser, userCounts } from '@/lib/accounts/administration/service'
import type { Ctx } from '@/lib/base/context/ctx'
import { pickMessages } from '@/lib/base/i18n/messages'
import { mobileText } from '@/lib/base/text/mobile'
import { AccessRequestQuery } from '@/lib/companies/access-requests/contract'
import { OwnInvitationQuery } from '@/lib/joining/received-invitations/contract'
import { UserApplicationQuery } from '@/lib/openid/consents/contract'
import { UserMessageQuery } from '@/lib/operations/account-limits/contract'
import { cardPageContext } from '@/lib/request/card-page'
import { cardTitle } from '@/lib/request/title'
import { SessionQuery } from '@/lib/sign-in/own-sessions/contract'
import { SignInQuery } from '@/lib/sign-in/sign-in-log/contract'
import { HistoryTab } from '../../../_ui/history-tab'
import { SignIns } from '../../_ui/sign-ins'
import { UserContractors, UserRoles } from './_ui/access'
import { Applications } from './_ui/applications'
import { Browsers } from './_ui/browsers'
import { Invitations } from './_ui/invitations'
import { UserMain } from './_ui/main'
import { Messages } from './_ui/messages'
import { Preview } from './_ui/preview'
import { Requests } from './_ui/requests'
import { Sessions } from './_ui/sessions'
import { UserActions } from './_ui/user-actions'

const tabs = {
  main: null,
  access: null,
  requests: null,
  invitations: null,
  sessions: null,
  applications: null,
  messages: null,
  signIns: null,
  preview: null,
  history: 'history.read',
} as const

const read = cache((ctx: Ctx, id: string) => readUser(ctx, { params: { id } }))

export const generateMetadata = cardTitle('PlatformUser', async (ctx, id) => {
  const { name, login } = await read(ctx, id)
  return name || login
})

/** One account: its fields, its access, its sessions, and its history. */
export default async function UserPage(page: PageProps<'/platform/setting/users/[id]'>) {
  const card = await cardPageContext('PlatformUser', page, tabs)
  const { ctx, id, tab } = card
  const user = await card.read(() => read(ctx, id))
  const [t, messages, counts] = await Promise.all([getTranslations('users'), getMessages(), userCounts(ctx, id)])
  const { name, login, email, mobile, enabled, allowed } = user
  const mayWrite = card.mayWrite && allowed
  return (
    <PageMessages messages={pickMessages(messages, ['users', 'sign-ins', 'address-limits'])}>
      <Card
        title={name || login}
        person
        tile={<Person />}
        state={<EnabledPill enabled={enabled} on={t('enabled')} off={t('disabled')} />}
        facts={[name && login, email === login ? null : email, mobile && mobileText(mobile, ctx.locale)]}
        actions={mayWrite ? <UserActions user={user} name={name || login} own={user.id === ctx.user?.id} /> : null}
        readOnly={card.readOnly ?? (allowed ? undefined : t('barred'))}
        tabs={card.tabsOf(
          {
            main: t('main'),
            access: t('access'),
            requests: t('requests'),
            invitations: t('invitations'),
            sessions: t('sessions'),
            applications: t('applications'),
            messages: t('messages'),
            signIns: t('signIns'),
            preview: t('preview'),
            history: t('history'),
          },
          { ...counts, access: counts.roles },
        )}
        current={card.current}
      >
        {tab === 'main' ? <UserMain ctx={ctx} user={user} mayWrite={mayWrite} /> : null}
        {tab === 'access' ? (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
            <UserRoles ctx={ctx} user={user} mayWrite={mayWrite} />
            <UserContractors user={user} mayWrite={mayWrite} />
          </div>
        ) : null}
        {tab === 'requests' ? <Requests ctx={ctx} id={id} {...card.list(AccessRequestQuery)} /> : null}
        {tab === 'invitations' ? <Invitations ctx={ctx} id={id} {...card.list(OwnInvitationQuery)} /> : null}
        {tab === 'sessions' ? (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
            <Sessions ctx={ctx} id={id} mayEnd={mayWrite} {...card.list(SessionQuery)} />
            <Browsers ctx={ctx} id={id} mayForget={mayWrite} />
          </div>
        ) : null}
        {tab === 'applications' ? (
          <Applications ctx={ctx} id={id} mayEnd={mayWrite} {...card.list(UserApplicationQuery)} />
        ) : null}
        {tab === 'messages' ? <Messages ctx={ctx} id={id} {...card.list(UserMessageQuery)} /> : null}
        {tab === 'signIns' ? (
          <CardList columns={4}>
            <SignIns ctx={ctx} of={id} {...card.list(SignInQuery)} />
          </CardList>
        ) : null}
        {tab === 'preview' ? <Preview ctx={ctx} id={id} allowed={allowed} /> : null}
        {tab === 'history' ? <HistoryTab card={card} entity="users" /> : null}
      </Card>
    </PageMessages>
  )
}
