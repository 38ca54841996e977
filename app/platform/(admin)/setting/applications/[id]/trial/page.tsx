import { notFound } from 'next/navigation'
import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { PageName } from '@/components/shell/page-name'
import { Alert } from '@/components/ui/alert'
import { PageHeader } from '@/components/ui/page-header'
import { TextLink } from '@/components/ui/text-link'
import { Id } from '@/lib/base/contracts/contract'
import { localName } from '@/lib/base/i18n/local-name'
import { pickMessages } from '@/lib/base/i18n/messages'
import { cardPath } from '@/lib/base/navigation/screens'
import { readApplicationDetails } from '@/lib/openid/applications/service'
import { usableClient } from '@/lib/openid/clients/service'
import { readTrialOutcome, trialBar, trialPage } from '@/lib/openid/trials/service'
import { partPageContext } from '@/lib/request/part-page'
import { screenTitle } from '@/lib/request/title'
import { Outcome } from './_ui/outcome'
import { Barred, TrialForm } from './_ui/trial-form'

export const generateMetadata = () => screenTitle('PlatformApplicationTrial')

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** A trial sign-in with a client of an application: what to request, and what its application would learn. */
export default async function ApplicationTrialPage(page: PageProps<'/platform/setting/applications/[id]/trial'>) {
  const {
    ctx,
    params,
    search,
    mayWrite,
    readOnly,
    read: reading,
  } = await partPageContext('PlatformApplicationTrial', page)
  if (!Id.safeParse(params.id).success) notFound()
  const { application } = await reading(() => readApplicationDetails(ctx, { params: { id: params.id } }))
  const client = application.clients.find(({ clientId }) => clientId === text(search.client))
  if (!client) notFound()
  const { clientId } = client
  const trial = text(search.trial)
  const [t, tScreen, messages, usable, outcome] = await Promise.all([
    getTranslations('client-trial'),
    getTranslations('shell.screens'),
    getMessages(),
    usableClient(clientId),
    trial && mayWrite ? readTrialOutcome(ctx, { applicationId: application.id, id: trial }) : null,
  ])
  const bar = trialBar(ctx, usable)
  const card = `${cardPath('PlatformApplication', application.id)}?${new URLSearchParams({ tab: 'clients', client: clientId })}`
  const there = new URL(trialPage(application.id, clientId))
  const name = localName(application, ctx.locale)
  return (
    <PageMessages messages={pickMessages(messages, ['client-trial'])}>
      <div className="grid max-w-[60rem] grid-cols-[minmax(0,1fr)] gap-6">
        <PageName name={tScreen('PlatformApplicationTrial')} above={name} />
        <PageHeader
          title={t('title', { name: client.name })}
          text={t.rich('lead', {
            application: name,
            link: (chunks) => <TextLink href={card}>{chunks}</TextLink>,
          })}
        />
        {!mayWrite ? (
          <Alert tone="info">{readOnly}</Alert>
        ) : bar === 'trialElsewhere' ? (
          <Alert tone="info" title={<Barred code={bar} />}>
            <TextLink href={there.href}>{t('there', { host: there.host })}</TextLink>
          </Alert>
        ) : bar ? (
          <Alert tone="warning">
            <Barred code={bar} />
          </Alert>
        ) : null}
        {trial && mayWrite ? outcome ? <Outcome outcome={outcome} /> : <Alert tone="warning">{t('over')}</Alert> : null}
        {mayWrite && !bar ? <TrialForm clientId={clientId} again={Boolean(trial)} /> : null}
      </div>
    </PageMessages>
  )
}
