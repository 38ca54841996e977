import { getTranslations } from 'next-intl/server'
import { SignOut } from '@/components/shell/sign-out'
import { buttonClasses } from '@/components/ui/button-classes'
import type { InvitationState } from '@/lib/joining/invitations/service'
import { DeadLink } from '../../../_ui/dead-link'

type Dead = Exclude<InvitationState, { kind: 'open' }>

/** Why an invitation no longer works, and the next step. */
export async function DeadInvitation({ id, state, signedIn }: { id: string; state: Dead; signedIn: boolean }) {
  const tInvitation = await getTranslations('invitation')
  const t = await getTranslations('invitation.dead')
  const tCommon = await getTranslations('common')
  const { kind, declined, inviter, company, email } = state
  const words = kind === 'used' ? (declined ? 'declined' : 'accepted') : kind
  return (
    <DeadLink
      title={t(`${words}.title`)}
      text={t(`${words}.text`, { inviter: inviter || tInvitation('somebody'), company, email })}
    >
      {kind === 'active' ? (
        <SignOut label={t('signOut')} failed={tCommon('signOutFailed')} to={`/platform/invitation/${id}`} size="L" />
      ) : (
        <a href={signedIn ? '/platform/profile' : '/platform/login'} className={buttonClasses({ size: 'L' })}>
          {signedIn ? t('toProfile') : tCommon('toSignIn')}
        </a>
      )}
    </DeadLink>
  )
}
