import type { Metadata } from 'next'
import { useTranslations } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { SignOut } from '@/components/shell/sign-out'
import { buttonClasses } from '@/components/ui/button-classes'
import { DateTime } from '@/components/ui/date-time'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { getCountryCodes } from '@/lib/applications/start-up/service'
import { pickMessages } from '@/lib/base/i18n/messages'
import { personForm } from '@/lib/fields/profile-fields/person-form'
import type { InvitationView } from '@/lib/joining/invitations/contract'
import { type InvitationState, invitationState } from '@/lib/joining/invitations/service'
import { pageContext } from '@/lib/request/page'
import { pageTitle } from '@/lib/request/title'
import { passwordRules } from '@/lib/sign-in/passwords/rules-of-settings'
import { platformSettings } from '@/lib/site/settings/service'
import { DeadLink } from '../../_ui/dead-link'
import { PersonalNotice } from '../../_ui/personal-notice'
import { Member } from './_ui/member'
import { Newcomer } from './_ui/newcomer'
import { SignInFirst } from './_ui/sign-in-first'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell')
  return pageTitle(t('screens.Invitation'))
}

/** An invitation and how to answer it, or how it ended and what to do now. */
export default async function InvitationPage({ params }: { params: Promise<{ id: string }> }) {
  const { ctx } = await pageContext()
  const { id } = await params
  const state = await invitationState(ctx, id)
  if (state.kind !== 'open') return <DeadInvitation id={id} state={state} signedIn={ctx.user !== null} />
  const { view, code } = state
  const messages = pickMessages(await getMessages(), ['invitation', 'person', 'ui'])
  const shared = { id, inviter: view.inviter, company: view.company }
  const facts = <InvitationFacts view={view} />
  if (view.signedIn)
    return (
      <PageMessages messages={messages}>
        <Member {...shared} login={view.login} terms={view.termsRequired}>
          {facts}
        </Member>
      </PageMessages>
    )
  if (view.existing)
    return (
      <PageMessages messages={messages}>
        <SignInFirst {...shared}>{facts}</SignInFirst>
      </PageMessages>
    )
  const [form, rules, { authCodeDigits }, { countries }] = await Promise.all([
    personForm(ctx),
    passwordRules(ctx.locale),
    platformSettings(),
    getCountryCodes(ctx),
  ])
  return (
    <PageMessages messages={messages}>
      <Newcomer
        {...shared}
        email={view.email}
        locale={ctx.locale}
        form={form}
        rules={rules}
        terms={view.termsRequired}
        countries={countries}
        codeDigits={authCodeDigits}
        known={view.mobile ? { mobile: view.mobile, verified: view.mobile_verify, code } : null}
        now={ctx.now().getTime()}
      >
        {facts}
      </Newcomer>
      <PersonalNotice />
    </PageMessages>
  )
}

type Dead = Exclude<InvitationState, { kind: 'open' }>

/** Why an invitation no longer works, and the next step. */
async function DeadInvitation({ id, state, signedIn }: { id: string; state: Dead; signedIn: boolean }) {
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

/** Shows whom the invitation is for, which roles it grants and until when it is valid. */
function InvitationFacts({ view: { email, organizations, expiresAt } }: { view: InvitationView }) {
  const t = useTranslations('invitation.facts')
  return (
    <KeyValues>
      <KeyValue label={t('email')}>
        <span className="min-w-0 break-words">{email}</span>
      </KeyValue>
      {organizations.map(({ organizationId, name, roles }) => (
        <KeyValue key={organizationId} label={t('rolesIn', { organization: name })}>
          {roles.map((role) => role.name).join(', ')}
        </KeyValue>
      ))}
      <KeyValue label={t('until')}>
        <DateTime value={expiresAt} />
      </KeyValue>
    </KeyValues>
  )
}
