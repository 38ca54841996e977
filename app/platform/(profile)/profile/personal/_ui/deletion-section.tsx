import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import type { Ctx } from '@/lib/kernel/ctx'
import { platformSettings } from '@/lib/platform/settings/service'
import { getProfile } from '@/lib/profile/personal/service'
import { DeleteAccountButton } from './access-parts'

/** The deletion of the account by its person; for an account of a directory, why there is none. */
export async function DeletionSection({ ctx, login }: { ctx: Ctx; login: string }) {
  const [t, { availableActions }, { authCodeDigits: digits }] = await Promise.all([
    getTranslations('account.deletion'),
    getProfile(ctx),
    platformSettings(),
  ])
  const { updatePassword, setPassword } = availableActions
  const own = updatePassword || setPassword
  return (
    <CardGroup title={t('title')}>
      <div className="grid justify-items-start gap-3">
        <p className="text-ink-second">{t(own ? 'text' : 'directory')}</p>
        {own ? <DeleteAccountButton login={login} digits={digits} hasPassword={updatePassword} /> : null}
      </div>
    </CardGroup>
  )
}
