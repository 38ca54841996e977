import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import type { ProfileDetails } from '@/lib/profile/personal/contract'

/** How the account signs in: since when it has its password, or who keeps it. */
export async function SignInFacts({ details }: { details: ProfileDetails }) {
  const t = await getTranslations('profile.signIn')
  const { mainInfo, updatedInfo, availableActions } = details
  const changedAt = updatedInfo.passwordChangedAt
  return (
    <CardGroup title={t('title')}>
      <KeyValues>
        {mainInfo.directory ? (
          <KeyValue label={t('password')}>{t('directoryPassword', { directory: mainInfo.directory })}</KeyValue>
        ) : (
          <KeyValue label={t('password')}>
            {availableActions.setPassword ? (
              t('noPassword')
            ) : changedAt ? (
              <span>
                {t('changed')} <DateTime value={changedAt} />
              </span>
            ) : (
              t('set')
            )}
          </KeyValue>
        )}
      </KeyValues>
    </CardGroup>
  )
}
