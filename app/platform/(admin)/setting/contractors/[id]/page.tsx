import { Building2 } from 'lucide-react'
import Link from 'next/link'
import { getMessages, getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { Card } from '@/components/card/card'
import { EnabledPill } from '@/components/list/columns'
import { PageMessages } from '@/components/shell/page-messages'
import { Alert } from '@/components/ui/alert'
import type { Ctx } from '@/lib/base/context/ctx'
import { pickMessages } from '@/lib/base/i18n/messages'
import { pathOfScreen } from '@/lib/base/navigation/screens'
import { ContractorInvitationQuery, ContractorPeopleQuery } from '@/lib/companies/contractors/contract'
import { countSimilar, readContractor } from '@/lib/companies/contractors/service'
import { cardPageContext } from '@/lib/request/card-page'
import { cardTitle } from '@/lib/request/title'
import { HistoryTab } from '../../../_ui/history-tab'
import { ContractorActions } from './_ui/card-parts'
import { Invitations } from './_ui/invitations'
import { ContractorMain } from './_ui/main'
import { People } from './_ui/people'

const tabs = { main: null, people: null, invitations: null, history: 'history.read' } as const

const read = cache((ctx: Ctx, id: string) => readContractor(ctx, { params: { id } }))

export const generateMetadata = cardTitle('PlatformContractor', async (ctx, id) => (await read(ctx, id)).name)

/** One contractor: its requisites, its people with their roles, the invitations to it, and its history. */
export default async function ContractorPage(page: PageProps<'/platform/setting/contractors/[id]'>) {
  const card = await cardPageContext('PlatformContractor', page, tabs)
  const { ctx, id, tab } = card
  const contractor = await card.read(() => read(ctx, id))
  const [t, tr, messages] = await Promise.all([
    getTranslations('contractors'),
    getTranslations('requisites'),
    getMessages(),
  ])
  const { name, inn, kpp, enabled, people } = contractor
  return (
    <PageMessages messages={pickMessages(messages, ['contractors', 'requisites'])}>
      <Card
        title={name}
        tile={<Building2 />}
        state={<EnabledPill enabled={enabled} on={t('enabled')} off={t('disabled')} />}
        facts={[inn && tr('shortInn', { inn }), kpp && tr('shortKpp', { kpp }), t('keepPeople', { count: people })]}
        actions={card.mayWrite ? <ContractorActions contractor={contractor} /> : null}
        readOnly={card.readOnly}
        tabs={card.tabsOf(
          { main: t('main'), people: t('people'), invitations: t('invitations'), history: t('history') },
          { people },
        )}
        current={card.current}
      >
        {tab === 'main' ? (
          <div className="grid gap-5">
            {/* in the same Suspense: if it came later, it would move the rest down */}
            <Similar ctx={ctx} id={id} />
            <ContractorMain ctx={ctx} contractor={contractor} mayWrite={card.mayWrite} />
          </div>
        ) : null}
        {tab === 'people' ? <People ctx={ctx} id={id} {...card.list(ContractorPeopleQuery)} /> : null}
        {tab === 'invitations' ? <Invitations ctx={ctx} id={id} {...card.list(ContractorInvitationQuery)} /> : null}
        {tab === 'history' ? <HistoryTab card={card} entity="contractors" /> : null}
      </Card>
    </PageMessages>
  )
}

/** Says how many possible duplicates a contractor has, and links to them. Renders nothing if there are none. */
async function Similar({ ctx, id }: { ctx: Ctx; id: string }) {
  const [t, count] = await Promise.all([getTranslations('contractors'), countSimilar(ctx, id)])
  if (count === 0) return null
  return (
    <Alert tone="info" title={t('similar', { count })}>
      <p>{t('similarText')}</p>
      <p>
        <Link
          href={`${pathOfScreen('PlatformContractors')}?filter[similarTo]=${id}`}
          prefetch={false}
          className="rounded-[2px] text-brand underline underline-offset-4"
        >
          {t('similarShow')}
        </Link>
      </p>
    </Alert>
  )
}
