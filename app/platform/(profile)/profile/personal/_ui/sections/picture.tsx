import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { pictureAddress } from '@/lib/accounts/pictures/address'
import { initialsOf } from '@/lib/accounts/users/initials'
import type { CtxUser } from '@/lib/base/context/ctx'
import { OwnAvatar } from '../own-avatar'

/** The person's picture, which they upload, crop and remove here. */
export async function Picture({ user }: { user: CtxUser }) {
  const t = await getTranslations('account.avatar')
  const { picture } = user
  return (
    <CardGroup title={t('title')}>
      <div className="rounded-card border border-line bg-surface p-4">
        <OwnAvatar initials={initialsOf(user)} picture={picture ? pictureAddress(picture, 'large') : null} />
      </div>
    </CardGroup>
  )
}
