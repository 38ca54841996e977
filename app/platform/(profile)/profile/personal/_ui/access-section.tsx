import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { passwordRules } from '@/lib/entry/passwords/rules-of-settings'
import type { Ctx } from '@/lib/kernel/ctx'
import { platformSettings } from '@/lib/platform/settings/service'
import { getProfile } from '@/lib/profile/personal/service'
import { ChangePassword } from './access-parts'

/** The person's login and password. */
export async function AccessSection({ ctx, login }: { ctx: Ctx; login: string }) {
  const [t, tProfile, { availableActions }, rules, { authCodeDigits: digits }] = await Promise.all([
    getTranslations('account.access'),
    getTranslations('profile.fields'),
    getProfile(ctx),
    passwordRules(ctx.locale),
    platformSettings(),
  ])
  const { updatePassword, setPassword } = availableActions
  const state = updatePassword ? 'has' : setPassword ? 'never' : 'directory'
  return (
    <CardGroup
      title={t('title')}
      action={
        updatePassword || setPassword ? <ChangePassword rules={rules} digits={digits} byCode={setPassword} /> : null
      }
    >
      <KeyValues>
        <KeyValue id="login" label={tProfile('login')}>
          {login}
        </KeyValue>
        <KeyValue label={t('title')}>{t(state)}</KeyValue>
      </KeyValues>
    </CardGroup>
  )
}
