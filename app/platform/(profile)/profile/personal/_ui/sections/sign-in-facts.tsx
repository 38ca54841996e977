import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ProfileDetails } from '@/lib/my-account/personal/contract'
import { passwordRules } from '@/lib/sign-in/passwords/rules-of-settings'
import { platformSettings } from '@/lib/site/settings/service'
import { ChangePassword } from '../access-parts'

/** How the account signs in: the age of its password, which can be changed here, or the directory that has it. */
export async function SignInFacts({ ctx, details }: { ctx: Ctx; details: ProfileDetails }) {
  const [t, rules, { authCodeDigits: digits }] = await Promise.all([
    getTranslations('profile.signIn'),
    passwordRules(ctx.locale),
    platformSettings(),
  ])
  const { mainInfo, updatedInfo, availableActions } = details
  const changedAt = updatedInfo.passwordChangedAt
  return (
    <CardGroup
      title={t('title')}
      action={
        mainInfo.directory ? null : (
          <ChangePassword rules={rules} digits={digits} byCode={availableActions.setPassword} />
        )
      }
    >
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
