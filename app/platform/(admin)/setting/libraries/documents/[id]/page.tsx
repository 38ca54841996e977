import { FileText } from 'lucide-react'
import { getMessages, getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { Card } from '@/components/card/card'
import { EnabledPill } from '@/components/list/columns'
import { PageMessages } from '@/components/shell/page-messages'
import type { Ctx } from '@/lib/base/context/ctx'
import { pickMessages } from '@/lib/base/i18n/messages'
import { readDocument } from '@/lib/documents/documents/administer'
import { cardPageContext } from '@/lib/request/card-page'
import { cardTitle } from '@/lib/request/title'
import { HistoryTab } from '../../../../_ui/history-tab'
import { Acceptances } from './_ui/acceptances'
import { DocumentActions } from './_ui/card-parts'
import { Main } from './_ui/main'

// people who agreed are shown to readers who may see people
const tabs = { main: null, acceptances: 'users.read', history: 'history.read' } as const

const read = cache((ctx: Ctx, id: string) => readDocument(ctx, { params: { id } }))

export const generateMetadata = cardTitle('PlatformLibrariesDocument', async (ctx, id) => (await read(ctx, id)).name)

/** One document: its facts, how many people accepted it, who agreed to it, and its history. */
export default async function DocumentPage(page: PageProps<'/platform/setting/libraries/documents/[id]'>) {
  const card = await cardPageContext('PlatformLibrariesDocument', page, tabs)
  const { ctx, id, tab, mayWrite } = card
  const document = await card.read(() => read(ctx, id))
  const [t, tc, messages] = await Promise.all([
    getTranslations('documents'),
    getTranslations('document-campaigns'),
    getMessages(),
  ])
  const { name, code, type, enabled, version } = document
  const labels = { main: tc('tabs.main'), acceptances: tc('tabs.acceptances'), history: tc('tabs.history') }
  const open = card.tabsOf(labels)
  return (
    <PageMessages messages={pickMessages(messages, ['documents', 'document-campaigns', 'runs'])}>
      <Card
        title={name}
        tile={<FileText />}
        state={<EnabledPill enabled={enabled} on={t('on')} off={t('off')} />}
        facts={[t(`types.${type}`), t('versionOf', { version }), code]}
        actions={mayWrite ? <DocumentActions document={document} /> : null}
        readOnly={card.readOnly}
        tabs={type === 'agreement' ? open : open.filter(({ label }) => label !== labels.acceptances)}
        current={card.current}
      >
        {tab === 'main' ? <Main ctx={ctx} document={document} mayWrite={mayWrite} /> : null}
        {tab === 'acceptances' ? <Acceptances card={card} document={document} /> : null}
        {tab === 'history' ? <HistoryTab card={card} entity="documents" /> : null}
      </Card>
    </PageMessages>
  )
}
