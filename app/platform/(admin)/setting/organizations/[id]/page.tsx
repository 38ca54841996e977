import { Building } from 'lucide-react'
import { getMessages, getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { Card } from '@/components/card/card'
import { EnabledPill } from '@/components/list/columns'
import { PageMessages } from '@/components/shell/page-messages'
import { shownCount } from '@/components/ui/shown-count'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { pickMessages } from '@/lib/base/i18n/messages'
import { OrganizationContractorQuery } from '@/lib/companies/organizations/contract'
import { readOrganization } from '@/lib/companies/organizations/service'
import { cardPageContext } from '@/lib/request/card-page'
import { cardTitle } from '@/lib/request/title'
import { HistoryTab } from '../../../_ui/history-tab'
import { OrganizationActions } from './_ui/card-parts'
import { Contractors } from './_ui/contractors'
import { Main } from './_ui/main'
import { RolesHeld } from './_ui/roles-held'

const tabs = { main: null, roles: null, contractors: 'contractors.read', history: 'history.read' } as const

const read = cache((ctx: Ctx, id: string) => readOrganization(ctx, { params: { id } }))

export const generateMetadata = cardTitle('PlatformOrganization', async (ctx, id) =>
  localName(await read(ctx, id), ctx.locale),
)

/** One organization: its requisites, the roles held in it, its contractors, and its history. */
export default async function OrganizationPage(page: PageProps<'/platform/setting/organizations/[id]'>) {
  const card = await cardPageContext('PlatformOrganization', page, tabs)
  const { ctx, id, tab, mayWrite } = card
  const organization = await card.read(() => read(ctx, id))
  const [t, messages] = await Promise.all([getTranslations('organizations'), getMessages()])
  const { enabled, people, contractors, code } = organization
  const name = localName(organization, ctx.locale)
  const labels = {
    main: t('tabs.main'),
    roles: t('tabs.roles'),
    contractors: t('contractors'),
    history: t('tabs.history'),
  }
  const holders = t('holdersShort', shownCount(people))
  return (
    <PageMessages messages={pickMessages(messages, ['organizations', 'requisites'])}>
      <Card
        title={name}
        tile={<Building />}
        state={<EnabledPill enabled={enabled} on={t('on')} off={t('off')} />}
        facts={[code, holders]}
        actions={mayWrite ? <OrganizationActions organization={organization} name={name} /> : null}
        readOnly={card.readOnly}
        tabs={card.tabsOf(labels, { contractors: contractors.more ? null : contractors.count })}
        current={card.current}
      >
        {tab === 'main' ? <Main organization={organization} mayWrite={mayWrite} /> : null}
        {tab === 'roles' ? <RolesHeld ctx={ctx} id={id} enabled={enabled} /> : null}
        {tab === 'contractors' ? <Contractors ctx={ctx} id={id} {...card.list(OrganizationContractorQuery)} /> : null}
        {tab === 'history' ? <HistoryTab card={card} entity="organizations" /> : null}
      </Card>
    </PageMessages>
  )
}
