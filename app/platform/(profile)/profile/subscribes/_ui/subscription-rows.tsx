import { Bell, Lock, Mail, MessageSquare } from 'lucide-react'
import { getTranslations } from 'next-intl/server'
import type { ChannelId } from '@/lib/messaging/subscription-kinds'
import type { Subscription } from '@/lib/my-account/subscriptions/contract'

const icons = { email: Mail, sms: MessageSquare, local: Bell }

type Props = { subscribes: readonly Subscription[]; channels: readonly { id: ChannelId; active: boolean }[] }

/** The channels of each subscription, as text. A channel by which the person can't be reached isn't named. */
export async function SubscriptionRows({ subscribes, channels }: Props) {
  const t = await getTranslations('subscriptions')
  const available = channels.filter(({ active }) => active).map(({ id }) => id)
  return (
    <ul className="@container divide-y divide-line rounded-card border border-line bg-surface">
      {subscribes.map(({ id, period, availablePeriods, channels: ownChannels }) => {
        const enabledChannels = ownChannels.filter((channel) => channel.enabled && available.includes(channel.id))
        return (
          <li
            key={id}
            className="grid gap-x-6 gap-y-2 px-4 py-3.5 @min-[40rem]:grid-cols-[minmax(0,1fr)_minmax(0,19rem)] @min-[40rem]:px-5"
          >
            <div className="grid gap-0.5">
              <h3 className="font-medium">{t(`names.${id}`)}</h3>
              <p className="text-ink-second text-note">{t(`notes.${id}`)}</p>
            </div>
            {enabledChannels.length > 0 ? (
              <ul className="flex flex-wrap content-start gap-x-4 gap-y-1 @min-[40rem]:pt-0.5">
                {enabledChannels.map((channel) => {
                  const Icon = icons[channel.id]
                  const often = channel.id === 'email' && availablePeriods.length > 1
                  return (
                    <li key={channel.id} className="inline-flex items-center gap-1.5">
                      <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-second" />
                      {often ? t('mailWith', { period: t(`inMail.${period}`) }) : t(`channels.${channel.id}`)}
                      {channel.locked ? (
                        <Lock role="img" aria-label={t('locked')} className="size-3.5 shrink-0 text-ink-second" />
                      ) : null}
                    </li>
                  )
                })}
              </ul>
            ) : (
              <p className="text-ink-second">{t('nothing')}</p>
            )}
          </li>
        )
      })}
    </ul>
  )
}
