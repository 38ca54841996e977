import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { pageContext } from '@/lib/context/page'
import { pageTitle } from '@/lib/context/title'
import { passwordRules } from '@/lib/entry/passwords/rules-of-settings'
import { registrationState } from '@/lib/entry/registration/service'
import { pickMessages } from '@/lib/kernel/i18n/messages'
import { platformSettings } from '@/lib/platform/settings/service'
import { getCountryCodes } from '@/lib/platform/start-up/service'
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
