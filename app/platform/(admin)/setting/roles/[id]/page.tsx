import { ShieldCheck } from 'lucide-react'
import { getMessages, getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { Card } from '@/components/card/card'
import { EnabledPill } from '@/components/list/columns'
import { PageMessages } from '@/components/shell/page-messages'
import { shownCount } from '@/components/ui/shown-count'
import { readRole } from '@/lib/access/roles/manage'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { pickMessages } from '@/lib/base/i18n/messages'
import { cardPageContext } from '@/lib/request/card-page'
import { cardTitle } from '@/lib/request/title'
import { HistoryTab } from '../../../_ui/history-tab'
import { Holders } from './_ui/holders'
import { RoleCardActions } from './_ui/role-card-parts'
import { RoleMain } from './_ui/role-main'

const read = cache((ctx: Ctx, id: string) => readRole(ctx, { params: { id } }))

export const generateMetadata = cardTitle('PlatformRole', async (ctx, id) =>
  localName((await read(ctx, id)).role, ctx.locale),
)

const tabs = { main: null, holders: null, history: 'history.read' } as const

/** A role: its methods, its holders, and its history. */
export default async function RolePage(page: PageProps<'/platform/setting/roles/[id]'>) {
  const card = await cardPageContext('PlatformRole', page, tabs)
  const { ctx, id, tab, mayWrite } = card
  const { role } = await card.read(() => read(ctx, id))
  const [t, messages] = await Promise.all([getTranslations('roles'), getMessages()])
  const name = localName(role, ctx.locale)
  const { count, more } = role.holders
  return (
    <PageMessages messages={pickMessages(messages, ['roles'])}>
      <Card
        title={name}
        tile={<ShieldCheck />}
        state={<EnabledPill enabled={role.enabled} on={t('enabled')} off={t('disabled')} />}
        facts={[
          t(`types.${role.roleType}`),
          role.immutable ? t('shipped') : null,
          t('methodCount', { count: role.methodCount }),
          t('people', shownCount(role.holders)),
        ]}
        actions={mayWrite ? <RoleCardActions role={role} name={name} /> : null}
        readOnly={card.readOnly}
        tabs={card.tabsOf(
          { main: t('tabs.main'), holders: t('tabs.holders'), history: t('tabs.history') },
          { holders: more ? null : count },
        )}
        current={card.current}
      >
        {tab === 'main' ? <RoleMain ctx={ctx} role={role} mayWrite={mayWrite} /> : null}
        {tab === 'holders' ? <Holders card={card} role={role} name={name} mayWrite={mayWrite} /> : null}
        {tab === 'history' ? <HistoryTab card={card} entity="roles" /> : null}
      </Card>
    </PageMessages>
  )
}
