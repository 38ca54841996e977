import { getMessages, getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { PageMessages } from '@/components/shell/page-messages'
import { PageHeader } from '@/components/ui/page-header'
import { roleThatGives } from '@/lib/access/viewer-role/service'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx, CtxUser } from '@/lib/base/context/ctx'
import { pickMessages } from '@/lib/base/i18n/messages'
import type { Scope, SettingModule } from '@/lib/operations/settings-screen/contract'
import { Settings } from './settings'

type Props = {
  ctx: Ctx
  user: CtxUser
  scope: Scope
  /** The text that says what these settings are. */
  lead: 'lead' | 'leadUsers'
  settings: { data: SettingModule[]; updatedAt: string }
  /** Links to related settings. */
  children?: ReactNode
}

/** A page of settings: its header, and the modules. People who may only read see which role lets them read. */
export async function SettingsPage({ ctx, user, scope, lead, settings, children }: Props) {
  const mayWrite = holdsMethod(user, 'settings.write')
  const [t, tUi, messages, role] = await Promise.all([
    getTranslations('settings'),
    getTranslations('ui.card'),
    getMessages(),
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
        {children}
        <Settings scope={scope} modules={settings.data} updatedAt={settings.updatedAt} mayWrite={mayWrite} />
      </div>
    </PageMessages>
  )
}
