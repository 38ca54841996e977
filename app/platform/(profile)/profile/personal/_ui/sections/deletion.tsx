import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import type { CtxUser } from '@/lib/base/context/ctx'
import type { ProfileDetails } from '@/lib/my-account/personal/contract'
import { platformSettings } from '@/lib/site/settings/service'
import { DeleteAccountButton } from '../access-parts'

/** The deletion of the account by its person; for an account of a directory, why it isn't possible. */
export async function Deletion({ user, details }: { user: CtxUser; details: ProfileDetails }) {
  const [t, { authCodeDigits: digits }] = await Promise.all([getTranslations('account.deletion'), platformSettings()])
  const { mainInfo, availableActions } = details
  if (!mainInfo.isEditable) return null
  const mayDelete = mainInfo.directory === null
  return (
    <CardGroup title={t('title')}>
      <div className="grid justify-items-start gap-3 rounded-card border border-line bg-surface p-4">
        <p className="text-ink-second text-table">{t(mayDelete ? 'text' : 'directory')}</p>
        {mayDelete ? (
          <DeleteAccountButton login={user.login} digits={digits} hasPassword={availableActions.updatePassword} />
        ) : null}
      </div>
    </CardGroup>
  )
}
