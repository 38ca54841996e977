import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { getCountryCodes } from '@/lib/applications/start-up/service'
import { pickMessages } from '@/lib/base/i18n/messages'
import { registrationState } from '@/lib/joining/registration/service'
import { pageContext } from '@/lib/request/page'
import { pageTitle } from '@/lib/request/title'
import { passwordRules } from '@/lib/sign-in/passwords/rules-of-settings'
import { platformSettings } from '@/lib/site/settings/service'
import { NoRegistration } from '../_ui/no-registration'
import { StepTwo } from './_ui/step-two'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell.screens')
  return pageTitle(t('RegistrationStepTwo'))
}

/** Asks for password, mobile and changed agreements, or tells why the link no longer works and what to do now. */
export default async function RegistrationFinishPage({ params }: { params: Promise<{ id: string }> }) {
  const { ctx } = await pageContext()
  const { id } = await params
  const state = await registrationState(ctx, id)
  // docs/rules/links.md#pages-of-dead-links
  if (state.kind === 'notFound') redirect('/platform/404?link=registration')
  if (state.kind !== 'live') return <NoRegistration kind={state.kind} id={id} />
  const [rules, { countries }, { authCodeDigits }, messages] = await Promise.all([
    passwordRules(ctx.locale),
    getCountryCodes(ctx),
    platformSettings(),
    getMessages(),
  ])
  return (
    <PageMessages messages={pickMessages(messages, ['person', 'registration'])}>
      <StepTwo
        id={id}
        email={state.email}
        terms={state.terms}
        known={state.mobile}
        form={state.form}
        told={state.names}
        locale={ctx.locale}
        rules={rules}
        countries={state.form.mobile ? countries : []}
        codeDigits={authCodeDigits}
        now={ctx.now().getTime()}
      />
    </PageMessages>
  )
}
