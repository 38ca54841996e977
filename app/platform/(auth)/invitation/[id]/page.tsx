import type { Metadata } from 'next'
import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { getCountryCodes } from '@/lib/applications/start-up/service'
import { pickMessages } from '@/lib/base/i18n/messages'
import { personForm } from '@/lib/fields/profile-fields/person-form'
import { invitationState } from '@/lib/joining/invitations/service'
import { pageContext } from '@/lib/request/page'
import { pageTitle } from '@/lib/request/title'
import { passwordRules } from '@/lib/sign-in/passwords/rules-of-settings'
import { platformSettings } from '@/lib/site/settings/service'
import { PersonalNotice } from '../../_ui/personal-notice'
import { DeadInvitation } from './_ui/dead-invitation'
import { InvitationFacts } from './_ui/invitation-facts'
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
