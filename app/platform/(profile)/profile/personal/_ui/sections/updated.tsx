import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import type { ProfileDetails } from '@/lib/my-account/personal/contract'

/** When the account was created and last changed, and by whom. */
export async function Updated({ details: { updatedInfo } }: { details: ProfileDetails }) {
  const t = await getTranslations('profile.updated')
  const { createdAt, updatedAt, by } = updatedInfo
  return (
    <CardGroup title={t('title')}>
      <KeyValues>
        <KeyValue label={t('created')}>
          <DateTime value={createdAt} />
        </KeyValue>
        <KeyValue label={t('changed')}>
          <DateTime value={updatedAt} />
          {by ? <span className="text-ink-second">{by.you ? t('byYou') : by.name}</span> : null}
        </KeyValue>
      </KeyValues>
    </CardGroup>
  )
}
