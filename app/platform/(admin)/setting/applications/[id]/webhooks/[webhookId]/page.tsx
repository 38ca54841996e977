import { Webhook as Mark } from 'lucide-react'
import { notFound } from 'next/navigation'
import { getMessages, getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { Card } from '@/components/card/card'
import { CardList } from '@/components/card/card-list'
import { PageMessages } from '@/components/shell/page-messages'
import { AddressText } from '@/components/ui/address-text'
import { Alert } from '@/components/ui/alert'
import { Pill } from '@/components/ui/pill'
import { TextLink } from '@/components/ui/text-link'
import { WebhookDeliveryQuery } from '@/lib/applications/webhooks/contract'
import { listWebhooks, readWebhook } from '@/lib/applications/webhooks/service'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { pickMessages } from '@/lib/base/i18n/messages'
import { cardPath } from '@/lib/base/navigation/screens'
import { readApplicationDetails } from '@/lib/openid/applications/service'
import { cardPageContext } from '@/lib/request/card-page'
import { cardTitle } from '@/lib/request/title'
import { HistoryTab } from '../../../../../_ui/history-tab'
import { stateOf } from '../../_ui/webhook-words'
import { WebhookActions } from './_ui/card-parts'
import { Deliveries } from './_ui/deliveries'
import { Main } from './_ui/main'

const tabs = { main: null, deliveries: null, history: 'history.read' } as const

const read = cache(async (ctx: Ctx, id: string, webhookId: string) => {
  const [{ application }, { webhooks, types }] = await Promise.all([
    readApplicationDetails(ctx, { params: { id } }),
    listWebhooks(ctx, { params: { id } }),
  ])
  return { application, types, webhook: webhooks.find((each) => each.id === webhookId) }
})

export const generateMetadata = cardTitle('PlatformApplicationWebhook', async (ctx, id, webhookId) => {
  const { webhook } = await readWebhook(ctx, { params: { id, webhookId } })
  return webhook.name
})

/** One webhook of an application: its address and events, its secrets, its log, and its history. */
export default async function WebhookPage(page: PageProps<'/platform/setting/applications/[id]/webhooks/[webhookId]'>) {
  const card = await cardPageContext('PlatformApplicationWebhook', page, tabs)
  const { ctx, tab } = card
  const { id } = await page.params
  const { application, types, webhook } = await card.read(() => read(ctx, id, card.id))
  if (!webhook) notFound()
  const [t, tApplications, messages] = await Promise.all([
    getTranslations('webhooks'),
    getTranslations('applications'),
    getMessages(),
  ])
  const { beyond, actionsAccess } = application
  const mayWrite = card.mayWrite && !beyond && actionsAccess < 2
  const readOnlyReason = beyond ? tApplications('beyond') : actionsAccess >= 2 ? tApplications('fixedPlatform') : null
  const name = localName(application, ctx.locale)
  const of = cardPath('PlatformApplication', id)
  const [tone, state] = stateOf(webhook)
  const labels = { main: t('tabs.main'), deliveries: t('tabs.deliveries'), history: t('tabs.history') }
  return (
    <PageMessages messages={pickMessages(messages, ['webhooks', 'applications'])}>
      <Card
        title={webhook.name}
        above={name}
        tile={<Mark />}
        state={<Pill tone={tone}>{t(`states.${state}`)}</Pill>}
        facts={[
          t.rich('ofApplication', {
            name,
            link: (chunks) => <TextLink href={`${of}?tab=webhooks`}>{chunks}</TextLink>,
          }),
          <span key="address" className="wrap-anywhere font-mono text-note">
            <AddressText>{webhook.url}</AddressText>
          </span>,
        ]}
        actions={mayWrite ? <WebhookActions webhook={webhook} applicationId={id} list={`${of}?tab=webhooks`} /> : null}
        readOnly={card.readOnly}
        tabs={card.tabsOf(labels)}
        current={card.current}
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {card.mayWrite && readOnlyReason ? <Alert tone="info">{readOnlyReason}</Alert> : null}
          {tab === 'main' ? (
            <Main
              ctx={ctx}
              applicationId={id}
              webhook={webhook}
              types={types}
              access={`${of}?tab=access`}
              log={`${cardPath('PlatformApplicationWebhook', id, webhook.id)}?tab=deliveries`}
              mayWrite={mayWrite}
            />
          ) : null}
          {tab === 'deliveries' ? (
            <CardList columns={5}>
              <Deliveries
                ctx={ctx}
                applicationId={id}
                webhook={webhook}
                mayWrite={mayWrite}
                {...card.list(WebhookDeliveryQuery)}
              />
            </CardList>
          ) : null}
          {tab === 'history' ? <HistoryTab card={card} entity="webhooks" /> : null}
        </div>
      </Card>
    </PageMessages>
  )
}
