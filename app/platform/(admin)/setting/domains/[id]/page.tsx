import { Globe } from 'lucide-react'
import { getMessages, getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { Card } from '@/components/card/card'
import { PageMessages } from '@/components/shell/page-messages'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { pickMessages } from '@/lib/base/i18n/messages'
import { env } from '@/lib/base/runtime/env'
import { cardPageContext } from '@/lib/request/card-page'
import { cardTitle } from '@/lib/request/title'
import { searchDeviceTypes } from '@/lib/site/device-types/service'
import { readDomain } from '@/lib/site/domains/administration'
import type { Domain } from '@/lib/site/domains/contract'
import { HistoryTab } from '../../../_ui/history-tab'
import { domainName } from '../_ui/domain-name'
import { DomainPill } from '../_ui/domain-pill'
import { DomainActions } from './_ui/domain-card-parts'
import { DomainFacts } from './_ui/domain-facts'
import { DomainEditor } from './_ui/editor'
import { editorData } from './_ui/editor-data'

const tabs = { main: null, history: 'history.read' } as const

const read = cache((ctx: Ctx, id: string) => readDomain(ctx, { params: { id } }))

export const generateMetadata = cardTitle('PlatformDomain', async (ctx, id) =>
  domainName(await read(ctx, id), await getTranslations('domains')),
)

/** Returns the address of the sign-in page of a domain that serves people, at its first host name. */
function signInOf({ type, enabled, aliases, base }: Domain): string | null {
  if (!enabled || type === 'draft') return null
  const { protocol, port, origin } = new URL(env().PUBLIC_URL)
  const [host] = aliases
  const loginOrigin = host && !base ? `${protocol}//${host}${port ? `:${port}` : ''}` : origin
  return `${loginOrigin}/platform/login`
}

/** One domain: its texts, addresses, look, documents and limits, beside a preview; and its history. */
export default async function DomainPage(page: PageProps<'/platform/setting/domains/[id]'>) {
  const card = await cardPageContext('PlatformDomain', page, tabs)
  const { ctx, id, tab, mayWrite } = card
  const domain = await card.read(() => read(ctx, id))
  const [t, messages] = await Promise.all([getTranslations('domains'), getMessages()])
  const name = domainName(domain, t)
  const { aliases, base, comment } = domain
  const isCurrent = id === ctx.domain.id
  const history = holdsMethod(ctx, 'history.read') ? `/platform/setting/domains/${id}?tab=history` : null
  const labels = { main: t('tabs.main'), history: t('history') }
  return (
    <PageMessages messages={pickMessages(messages, ['domains'])}>
      <Card
        title={name}
        tile={<Globe />}
        state={<DomainPill {...domain} t={t} />}
        facts={[
          base ? t('base') : null,
          comment === name ? null : comment,
          aliases.length > 1 ? t('moreAddresses', { count: aliases.length - 1 }) : null,
          isCurrent ? t('ownFact') : null,
        ]}
        actions={
          mayWrite ? (
            <DomainActions
              domain={domain}
              name={name}
              own={isCurrent}
              signIn={signInOf(domain)}
              history={tab === 'main' ? history : null}
            />
          ) : null
        }
        readOnly={card.readOnly}
        // the sections of the editor are the placeholder of the first tab
        tabs={tab === 'main' && mayWrite ? [] : card.tabsOf(labels)}
        current={card.current}
      >
        {tab === 'main' ? <Main ctx={ctx} domain={domain} name={name} mayWrite={mayWrite} /> : null}
        {tab === 'history' ? <HistoryTab card={card} entity="domains" /> : null}
      </Card>
    </PageMessages>
  )
}

type MainProps = { ctx: Ctx; domain: Domain; name: string; mayWrite: boolean }

async function Main({ ctx, domain, name, mayWrite }: MainProps) {
  const [data, { devicesTypes }] = await Promise.all([editorData(ctx, domain), searchDeviceTypes(ctx, { query: {} })])
  const types = devicesTypes.map((type) => ({ id: type.id, code: type.code, name: localName(type, ctx.locale) }))
  const of = { domain, name, types, ...data }
  return mayWrite ? <DomainEditor {...of} /> : <DomainFacts {...of} />
}
