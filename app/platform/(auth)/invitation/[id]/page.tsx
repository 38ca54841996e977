import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { PlainSignOut } from '@/components/plain/plain-sign-out'
import { buttonClasses } from '@/components/ui/button-classes'
import { type InvitationState, invitationState } from '@/lib/joining/invitations/service'
import { pageContext } from '@/lib/request/page'
import { pageTitle } from '@/lib/request/title'
import { DeadLink } from '../../_ui/dead-link'
import { formFailure } from '../../_ui/form-failure'
import { Decline } from './_ui/decline'
import { Member } from './_ui/member'
import { Newcomer } from './_ui/newcomer'
import { SignInFirst } from './_ui/sign-in-first'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell')
  return pageTitle(t('screens.Invitation'))
}

type Props = {
  params: Promise<{ id: string }>
  searchParams: Promise<{ step?: string | string[] }>
}

/** An invitation and how to answer it, or how it ended and what to do now. */
export default async function InvitationPage({ params, searchParams }: Props) {
  const { ctx } = await pageContext()
  const [{ id }, { step }] = await Promise.all([params, searchParams])
  const state = await invitationState(ctx, id)
  if (state.kind !== 'open') return <DeadInvitation state={state} signedIn={ctx.user !== null} />
  const { view, mobile } = state
  const failed = await formFailure()
  const page = `/platform/invitation/${id}`
  const addressOf = (name: string) => `${page}?step=${name}`
  const { inviter, company } = view
  if (step === 'decline') return <Decline inviter={inviter} company={company} back={page} failed={failed} />
  const decline = addressOf('decline')
  if (view.signedIn) return <Member view={view} decline={decline} failed={failed} />
  if (view.existing) return <SignInFirst view={view} page={page} decline={decline} />
  return <Newcomer view={view} mobile={mobile} named={step} addressOf={addressOf} failed={failed} />
}

type Dead = Exclude<InvitationState, { kind: 'open' }>

/** Why an invitation no longer works, and the next step. */
async function DeadInvitation({ state, signedIn }: { state: Dead; signedIn: boolean }) {
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
        <PlainSignOut label={t('signOut')} />
      ) : (
        <a href={signedIn ? '/platform/profile' : '/platform/login'} className={buttonClasses({ size: 'L' })}>
          {signedIn ? t('toProfile') : tCommon('toSignIn')}
        </a>
      )}
    </DeadLink>
  )
}
