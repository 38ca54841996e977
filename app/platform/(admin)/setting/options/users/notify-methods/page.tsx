import { Bell, Mail, MessageSquareText } from 'lucide-react'
import { getTranslations } from 'next-intl/server'
import { ScreenPage } from '@/components/shell/screen-page'
import { Pill } from '@/components/ui/pill'
import { holdsMethod } from '@/lib/base/context/access'
import { listNotifyMethods } from '@/lib/messaging/channels/service'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import { NotifyMethodSwitch } from './_ui/notify-method-switch'

const icons = { email: Mail, sms: MessageSquareText, local: Bell }

export const generateMetadata = () => screenTitle('UsersSettingsNotify')

/** The channels by which people get what they have subscribed to. */
export default async function NotifyMethodsPage() {
  const { ctx } = await pageContext()
  const user = await pageUser(ctx, '/platform/setting/options/users/notify-methods')
  const mayWrite = holdsMethod(user, 'settings.write')
  const [tScreen, t, { subscribesChannels }] = await Promise.all([
    getTranslations('shell.screens'),
    getTranslations('notify-methods'),
    listNotifyMethods(ctx),
  ])
  return (
    <ScreenPage name="UsersSettingsNotify" texts="notify-methods">
      <ul
        aria-label={tScreen('UsersSettingsNotify')}
        className="divide-y divide-line rounded-card border border-line bg-surface"
      >
        {subscribesChannels.map((method) => {
          const Icon = icons[method.id]
          const name = t(`names.${method.id}`)
          return (
            <li key={method.id} className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 sm:px-5">
              <Icon aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0 text-ink-second" />
              <div className="grid min-w-0 flex-1 basis-60 gap-1">
                <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
                  {name}
                  <Pill tone={method.enabled && method.active ? 'ok' : 'neutral'}>
                    {t(method.active ? (method.enabled ? 'on' : 'off') : 'notReady')}
                  </Pill>
                </p>
                <p className="max-w-[44rem] text-ink-second text-table">{t(`notes.${method.id}`)}</p>
              </div>
              {mayWrite ? <NotifyMethodSwitch method={method} name={name} /> : null}
            </li>
          )
        })}
      </ul>
    </ScreenPage>
  )
}
