import { getMessages, getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { Card } from '@/components/card/card'
import { CardList } from '@/components/card/card-list'
import { EnabledPill } from '@/components/list/columns'
import { PageMessages } from '@/components/shell/page-messages'
import { ServiceMark } from '@/components/shell/service-mark'
import { Alert } from '@/components/ui/alert'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { pickMessages } from '@/lib/base/i18n/messages'
import { ApplicationSessionQuery } from '@/lib/openid/application-sessions/contract'
import { readApplicationDetails } from '@/lib/openid/applications/service'
import { cardPageContext } from '@/lib/request/card-page'
import { cardTitle } from '@/lib/request/title'
import { HistoryTab } from '../../../_ui/history-tab'
import { ApplicationSessions } from '../_ui/application-sessions'
import { Access } from './_ui/access'
import { ApplicationActions } from './_ui/card-parts'
import { Clients } from './_ui/clients'
import { Main } from './_ui/main'
import { Webhooks } from './_ui/webhooks'

const tabs = {
  main: null,
  clients: null,
  sessions: null,
  access: null,
  webhooks: null,
  history: 'history.read',
} as const

const read = cache(async (ctx: Ctx, id: string) => (await readApplicationDetails(ctx, { params: { id } })).application)

export const generateMetadata = cardTitle('PlatformApplication', async (ctx, id) =>
  localName(await read(ctx, id), ctx.locale),
)

/** One application: its facts, its clients, the sessions in it, its access, its webhooks, and its history. */
export default async function ApplicationPage(page: PageProps<'/platform/setting/applications/[id]'>) {
  const card = await cardPageContext('PlatformApplication', page, tabs)
  const { ctx, id, tab, mayWrite } = card
  const application = await card.read(() => read(ctx, id))
  const [t, messages, { client }] = await Promise.all([
    getTranslations('applications'),
    getMessages(),
    page.searchParams,
  ])
  const { type, enabled, url, menuVisible, clients, sessionCount, methods, actionsAccess, beyond } = application
  const name = localName(application, ctx.locale)
  const free = mayWrite && !beyond
  const readOnlyReason = beyond
    ? t('beyond')
    : actionsAccess >= 2
      ? t('fixedPlatform')
      : actionsAccess === 1 && tab === 'clients'
        ? t('fixedClients')
        : null
  const labels = {
    main: t('tabs.main'),
    clients: t('clients'),
    sessions: t('tabs.sessions'),
    access: t('tabs.access'),
    webhooks: t('tabs.webhooks'),
    history: t('tabs.history'),
  }
  const web = url?.startsWith('http') ? url : undefined
  return (
    <PageMessages
      messages={pickMessages(messages, ['applications', 'application-sessions', 'clients', 'roles', 'webhooks'])}
    >
      <Card
        title={name}
        tile={<ServiceMark title={name} icon={application.iconId} />}
        state={
          <EnabledPill enabled={enabled && type !== 'draft'} on={t('on')} off={t(type === 'draft' ? 'draft' : 'off')} />
        }
        facts={[
          t(`types.${type}`),
          web ? (
            <a key="address" href={web} target="_blank" rel="noreferrer" className="underline underline-offset-4">
              {new URL(web).host}
            </a>
          ) : (
            url
          ),
          t(menuVisible ? 'shown' : 'hidden'),
        ]}
        actions={mayWrite ? <ApplicationActions application={application} name={name} /> : null}
        readOnly={card.readOnly}
        tabs={card.tabsOf(labels, { clients: clients.length, sessions: sessionCount, access: methods.length })}
        current={card.current}
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {mayWrite && readOnlyReason && tab !== 'history' ? <Alert tone="info">{readOnlyReason}</Alert> : null}
          {tab === 'main' ? <Main ctx={ctx} application={application} mayWrite={free && actionsAccess < 2} /> : null}
          {tab === 'clients' ? (
            <Clients
              application={application}
              chosen={typeof client === 'string' ? client : undefined}
              path={card.current}
              mayWrite={free && actionsAccess < 1}
              mayTry={mayWrite}
            />
          ) : null}
          {tab === 'sessions' ? (
            <CardList columns={5}>
              <ApplicationSessions
                ctx={ctx}
                applicationId={id}
                mayWrite={mayWrite}
                {...card.list(ApplicationSessionQuery)}
              />
            </CardList>
          ) : null}
          {tab === 'access' ? (
            <Access ctx={ctx} application={application} mayWrite={free && actionsAccess < 2} />
          ) : null}
          {tab === 'webhooks' ? <Webhooks ctx={ctx} applicationId={id} mayWrite={free && actionsAccess < 2} /> : null}
          {tab === 'history' ? <HistoryTab card={card} entity="applications" /> : null}
        </div>
      </Card>
    </PageMessages>
  )
}
