import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { PageHeader } from '@/components/ui/page-header'
import { pageUser } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { holdsMethod } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import { pickMessages } from '@/lib/kernel/i18n/messages'
import { screenNamed } from '@/lib/kernel/navigation/screens'
import type { Scope, SettingModule } from '@/lib/people/settings/contract'
import { roleThatGives } from '@/lib/people/viewer-role/service'
import { Settings } from './settings'

type Props = {
  name: 'PlatformSettingsBase' | 'UsersSettingsBase'
  scope: Scope
  /** The text that says what these settings are. */
  lead: 'lead' | 'leadUsers'
  read: (ctx: Ctx) => Promise<{ data: SettingModule[]; updatedAt: string }>
}

/** A page of settings: its header, and the modules. Whoever only looks reads who lets them. */
export async function SettingsPage({ name, scope, lead, read }: Props) {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, screenNamed(name).path)
  const mayWrite = holdsMethod(user, 'settings.write')
  const [t, tUi, messages, { data, updatedAt }, role] = await Promise.all([
    getTranslations('settings'),
    getTranslations('ui.card'),
    getMessages(),
    read(ctx),
    mayWrite ? null : roleThatGives(user.id, 'settings.read', ctx.locale),
  ])
  return (
    <PageMessages messages={pickMessages(messages, ['settings', 'platform', 'entry', 'clients'])}>
      <div className="grid gap-5">
        <PageHeader
          title={t(`titles.${scope}`)}
          text={t(lead)}
          action={
            mayWrite ? null : (
              <p className="text-ink-second text-table">{role ? tUi('readOnlyAs', { role }) : tUi('readOnly')}</p>
            )
          }
        />
        <Settings scope={scope} modules={data} updatedAt={updatedAt} mayWrite={mayWrite} />
      </div>
    </PageMessages>
  )
}
