import { Languages } from 'lucide-react'
import { getMessages, getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { Card } from '@/components/card/card'
import { CardList } from '@/components/card/card-list'
import { EnabledPill } from '@/components/list/columns'
import { PageMessages } from '@/components/shell/page-messages'
import type { Ctx } from '@/lib/base/context/ctx'
import { pickMessages } from '@/lib/base/i18n/messages'
import { LocaleTextQuery } from '@/lib/messaging/locale-texts/contract'
import { readLocale } from '@/lib/messaging/locale-texts/service'
import { cardPageContext } from '@/lib/request/card-page'
import { cardTitle } from '@/lib/request/title'
import { HistoryTab } from '../../../../_ui/history-tab'
import { TextActions } from './_ui/text-parts'
import { Texts } from './_ui/texts'

const tabs = { main: null, history: 'history.read' } as const

const read = cache((ctx: Ctx, id: string) => readLocale(ctx, id))

export const generateMetadata = cardTitle('PlatformLibrariesLocale', async (ctx, id) => (await read(ctx, id)).name)

/** One language: all texts of the platform, with their translations, and its history. */
export default async function LocalePage(page: PageProps<'/platform/setting/libraries/locales/[id]'>) {
  const card = await cardPageContext('PlatformLibrariesLocale', page, tabs)
  const { ctx, id, tab, mayWrite } = card
  const locale = await card.read(() => read(ctx, id))
  const [t, tl, messages] = await Promise.all([
    getTranslations('locale-texts'),
    getTranslations('locales'),
    getMessages(),
  ])
  const { name, code, enabled, own, missing } = locale
  return (
    <PageMessages messages={pickMessages(messages, ['locale-texts', 'cases-of-texts'])}>
      <Card
        title={name}
        tile={<Languages />}
        state={<EnabledPill enabled={enabled} on={tl('on')} off={tl('off')} />}
        facts={[code, t('own', { count: own }), missing > 0 ? t('missing', { count: missing }) : null]}
        actions={mayWrite ? <TextActions id={id} name={name} /> : null}
        readOnly={card.readOnly}
        tabs={card.tabsOf({ main: t('texts'), history: t('history') })}
        current={card.current}
      >
        {tab === 'main' ? (
          <CardList columns={3}>
            <Texts ctx={ctx} id={id} lang={code} mayWrite={mayWrite} {...card.list(LocaleTextQuery)} />
          </CardList>
        ) : null}
        {tab === 'history' ? <HistoryTab card={card} entity="locales" /> : null}
      </Card>
    </PageMessages>
  )
}
