import { CloudDownload } from 'lucide-react'
import { getMessages, getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { Card } from '@/components/card/card'
import { EnabledPill } from '@/components/list/columns'
import { PageMessages } from '@/components/shell/page-messages'
import { AddressText } from '@/components/ui/address-text'
import { EmptyState } from '@/components/ui/empty-state'
import type { Ctx } from '@/lib/base/context/ctx'
import { pickMessages } from '@/lib/base/i18n/messages'
import { SyncHistoryQuery } from '@/lib/directory-sync/provider-sync/contract'
import { readProvider } from '@/lib/directory-sync/providers/service'
import { cardPageContext } from '@/lib/request/card-page'
import { cardTitle } from '@/lib/request/title'
import { HistoryTab } from '../../../_ui/history-tab'
import { ProviderSyncPill } from '../_ui/provider-sync-pill'
import { ProviderActions } from './_ui/card-parts'
import { Main } from './_ui/main'
import { Mappers } from './_ui/mappers'
import { Runs } from './_ui/runs'
import { Synchronization } from './_ui/synchronization'

const tabs = { main: null, synchronization: null, mappers: null, runs: null, history: 'history.read' } as const

const read = cache(async (ctx: Ctx, id: string) => (await readProvider(ctx, { params: { id } })).provider)

export const generateMetadata = cardTitle('PlatformProvider', async (ctx, id) => (await read(ctx, id)).name)

/** One directory: its connection, its synchronization, its mappers, its batch jobs and its history. */
export default async function ProviderPage(page: PageProps<'/platform/setting/providers/[id]'>) {
  const card = await cardPageContext('PlatformProvider', page, tabs)
  const { ctx, id, tab, mayWrite } = card
  const provider = await card.read(() => read(ctx, id))
  const [t, messages] = await Promise.all([getTranslations('providers'), getMessages()])
  const [sync] = provider.sync
  const labels = {
    main: t('tabs.main'),
    synchronization: t('tabs.synchronization'),
    mappers: t('tabs.mappers'),
    runs: t('tabs.runs'),
    history: t('tabs.history'),
  }
  const status = sync?.details.status ?? 'disabled'
  const shownTabs = card.tabsOf(labels, { mappers: sync?.mappers ?? 0 })
  // an OpenID provider gives no list of people
  const synced = provider.type !== 'oidc'
  return (
    <PageMessages
      messages={pickMessages(messages, [
        'providers',
        'provider-mappers',
        'provider-sync',
        'runs',
        'users',
        'dynamic-fields',
      ])}
    >
      <Card
        title={provider.name}
        tile={<CloudDownload />}
        state={
          provider.enabled && sync && status !== 'disabled' ? (
            <ProviderSyncPill details={sync.details} />
          ) : (
            <EnabledPill enabled={provider.enabled} on={t('on')} off={t('off')} />
          )
        }
        facts={[
          t(`types.${provider.type}`),
          <span key="address" className="wrap-anywhere font-mono text-note">
            <AddressText>{provider.realm ? `${provider.url}/realms/${provider.realm}` : provider.url}</AddressText>
          </span>,
        ]}
        actions={mayWrite ? <ProviderActions provider={provider} /> : null}
        readOnly={card.readOnly}
        tabs={shownTabs.filter(({ href }) => synced || !/tab=(synchronization|runs)$/.test(href))}
        current={card.current}
      >
        {tab === 'main' ? <Main provider={provider} mayWrite={mayWrite} /> : null}
        {(tab === 'synchronization' || tab === 'runs') && !synced ? (
          <EmptyState title={t('syncNone')} text={t('syncNoneText')} />
        ) : null}
        {tab === 'synchronization' && synced ? (
          <Synchronization ctx={ctx} provider={provider} mayWrite={mayWrite} />
        ) : null}
        {tab === 'mappers' ? <Mappers ctx={ctx} provider={provider} mayWrite={mayWrite} /> : null}
        {tab === 'runs' && sync && synced ? (
          <Runs ctx={ctx} provider={provider} syncId={sync.id} mayWrite={mayWrite} {...card.list(SyncHistoryQuery)} />
        ) : null}
        {tab === 'history' ? <HistoryTab card={card} entity="providers" /> : null}
      </Card>
    </PageMessages>
  )
}
