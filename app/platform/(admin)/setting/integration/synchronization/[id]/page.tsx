import { ArrowLeftRight } from 'lucide-react'
import { getMessages, getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { Card } from '@/components/card/card'
import { PageMessages } from '@/components/shell/page-messages'
import { AddressText } from '@/components/ui/address-text'
import type { Ctx } from '@/lib/base/context/ctx'
import { pickMessages } from '@/lib/base/i18n/messages'
import { IntegrationRunQuery } from '@/lib/exchanges/exchanges/contract'
import { readIntegrationSync } from '@/lib/exchanges/exchanges/service'
import { cardPageContext } from '@/lib/request/card-page'
import { cardTitle } from '@/lib/request/title'
import { HistoryTab } from '../../../../_ui/history-tab'
import { ExchangePill } from '../_ui/exchange-pill'
import { SyncActions } from './_ui/card-parts'
import { Main } from './_ui/main'
import { Runs } from './_ui/runs'

const tabs = { main: null, runs: null, history: 'history.read' } as const

const read = cache(async (ctx: Ctx, id: string) => (await readIntegrationSync(ctx, { params: { id } })).synchronization)

export const generateMetadata = cardTitle('PlatformIntegrationSync', async (ctx, id) => {
  const { key } = await read(ctx, id)
  return (await getTranslations('integration'))(`keys.${key}`)
})

/** One exchange: its connection, its current or last batch job, its batch jobs and its history. */
export default async function IntegrationSyncPage(
  page: PageProps<'/platform/setting/integration/synchronization/[id]'>,
) {
  const card = await cardPageContext('PlatformIntegrationSync', page, tabs)
  const { ctx, id, tab, mayWrite } = card
  const sync = await card.read(() => read(ctx, id))
  const [t, messages] = await Promise.all([getTranslations('integration'), getMessages()])
  const name = t(`keys.${sync.key}`)
  const labels = { main: t('tabs.main'), runs: t('tabs.runs'), history: t('tabs.history') }
  return (
    <PageMessages
      messages={pickMessages(messages, [
        'integration',
        'runs',
        'users',
        'dynamic-fields',
        'requisites',
        'administration',
      ])}
    >
      <Card
        title={name}
        tile={<ArrowLeftRight />}
        state={<ExchangePill details={sync.details} />}
        facts={[
          sync.url ? (
            <span key="address" className="wrap-anywhere font-mono text-note">
              <AddressText>{sync.url}</AddressText>
            </span>
          ) : (
            t('noAddress')
          ),
        ]}
        actions={mayWrite ? <SyncActions sync={sync} name={name} /> : null}
        readOnly={card.readOnly}
        tabs={card.tabsOf(labels)}
        current={card.current}
      >
        {tab === 'main' ? <Main ctx={ctx} sync={sync} mayWrite={mayWrite} /> : null}
        {tab === 'runs' ? <Runs ctx={ctx} id={id} {...card.list(IntegrationRunQuery)} /> : null}
        {tab === 'history' ? <HistoryTab card={card} entity="integration-syncs" /> : null}
      </Card>
    </PageMessages>
  )
}
