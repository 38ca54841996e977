import { ShieldCheck } from 'lucide-react'
import { getLocale, getTranslations } from 'next-intl/server'
import { Card } from '@/components/card/card'
import { CardPart } from '@/components/card/card-part'
import { PageMessages } from '@/components/shell/page-messages'
import { ScreenBreadcrumbs } from '@/components/shell/screen-breadcrumbs'
import { Pill } from '@/components/ui/pill'
import { cardPageContext } from '@/lib/context/card-page'
import { screenTitle } from '@/lib/context/title'
import { localName } from '@/lib/kernel/i18n/local-name'
import type { PageSearch } from '@/lib/kernel/list-address'
import { getRole } from '@/lib/people/roles/reads'
import { HistoryTab } from '../../../_ui/history-tab'
import { Holders } from './_ui/holders'
import { RoleCardActions } from './_ui/role-card-parts'
import { RoleMain } from './_ui/role-main'

export const generateMetadata = () => screenTitle('PlatformRole')

type Props = { params: Promise<{ id: string }>; searchParams: Promise<PageSearch> }

/** A role: its methods, who holds it, and what was done to it. */
export default async function RolePage(props: Props) {
  const card = await cardPageContext('PlatformRole', props, { main: null, holders: null, history: 'history.read' })
  const { ctx, id, tab, current, mayWrite } = card
  const [t, locale, { role }] = await Promise.all([
    getTranslations('roles'),
    getLocale(),
    card.read(() => getRole(ctx, { params: { id } })),
  ])
  const name = localName(role, locale)
  const { count, more } = role.holders
  return (
    <PageMessages names={['roles']}>
      <Card
        title={name}
        tile={<ShieldCheck aria-hidden="true" />}
        state={<Pill tone={role.enabled ? 'ok' : 'neutral'}>{t(role.enabled ? 'enabled' : 'disabled')}</Pill>}
        facts={[
          t(`types.${role.roleType}`),
          role.immutable ? t('shipped') : null,
          t('methodCount', { count: role.methodCount }),
          more ? t('peopleMore', { count }) : t('people', { count }),
        ]}
        actions={mayWrite ? <RoleCardActions role={role} name={name} /> : undefined}
        readOnly={t('readOnly')}
        tabs={card.tabsOf(
          { main: t('tabs.main'), holders: t('tabs.holders'), history: t('tabs.history') },
          { holders: more ? null : count },
        )}
        current={current}
      >
        {tab === 'main' ? <RoleMain ctx={ctx} role={role} mayWrite={mayWrite} /> : null}
        {tab === 'holders' ? (
          <CardPart>
            <Holders card={card} role={role} name={name} mayWrite={mayWrite} />
          </CardPart>
        ) : null}
        {tab === 'history' ? <HistoryTab card={card} entity="roles" /> : null}
      </Card>
    </PageMessages>
  )
}
