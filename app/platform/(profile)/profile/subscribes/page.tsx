import { getTranslations } from 'next-intl/server'
import { ScreenPage } from '@/components/shell/screen-page'
import { securityIds } from '@/lib/messaging/subscription-kinds'
import { getSubscriptions } from '@/lib/my-account/subscriptions/service'
import { pageUser } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { screenTitle } from '@/lib/request/title'
import { EditableSubscriptions } from './_ui/editable-subscriptions'
import { SubscriptionRows } from './_ui/subscription-rows'

export const generateMetadata = () => screenTitle('UserProfileSubscribes')

/** The person's subscriptions, by channel and period. */
export default async function SubscriptionsPage() {
  const { ctx } = await pageContext()
  await pageUser(ctx, '/platform/profile/subscribes')
  const [t, { subscribes, subscribesChannels, updatedAt }] = await Promise.all([
    getTranslations('subscriptions'),
    getSubscriptions(ctx),
  ])
  const isSecurity = ({ id }: (typeof subscribes)[number]) => securityIds.includes(id)
  const groups = [
    { id: 'events', subscribes: subscribes.filter((each) => !isSecurity(each)) },
    { id: 'security', subscribes: subscribes.filter(isSecurity) },
  ] as const
  return (
    <ScreenPage name="UserProfileSubscribes" texts="subscriptions" className="grid gap-7">
      {groups.map((group) => (
        <EditableSubscriptions
          key={group.id}
          title={t(`groups.${group.id}`)}
          note={group.id === 'security' ? t('securityNote') : undefined}
          subscribes={group.subscribes}
          channels={subscribesChannels}
          updatedAt={updatedAt}
        >
          <SubscriptionRows subscribes={group.subscribes} channels={subscribesChannels} />
        </EditableSubscriptions>
      ))}
    </ScreenPage>
  )
}
