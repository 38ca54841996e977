import { getTranslations } from 'next-intl/server'
import { PlainSignOut } from '@/components/plain/plain-sign-out'
import { buttonClasses } from '@/components/ui/button-classes'
import { pathOfScreen } from '@/lib/base/navigation/screens'
import type { RegistrationState } from '@/lib/joining/registration/service'
import { DeadLink } from '../../_ui/dead-link'

type Kind = Exclude<RegistrationState['kind'], 'live' | 'notFound'>

/** Why people can't register here or by this link, and what to do instead. */
export async function NoRegistration({ kind }: { kind: Kind }) {
  const t = await getTranslations('registration.dead')
  const tCommon = await getTranslations('common')
  const recovery = kind === 'known' ? pathOfScreen('ForgotPassword') : undefined
  const signIn = (
    <a href="/platform/login" className={buttonClasses({ size: 'L' })}>
      {tCommon('toSignIn')}
    </a>
  )
  const actions = {
    disabled: signIn,
    known: signIn,
    linkUsed: signIn,
    accessError: <PlainSignOut label={t('signOut')} />,
  }
  return (
    <DeadLink title={t(`${kind}.title`)} text={t(`${kind}.text`)}>
      {kind in actions ? (
        actions[kind as keyof typeof actions]
      ) : (
        <a href="/platform/registration" className={buttonClasses({ size: 'L' })}>
          {t('again')}
        </a>
      )}
      {recovery ? (
        <a href={recovery} className={buttonClasses({ size: 'L', variant: 'secondary' })}>
          {t('recover')}
        </a>
      ) : null}
    </DeadLink>
  )
}
