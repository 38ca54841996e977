import type { Metadata } from 'next'
import { getMessages, getTranslations } from 'next-intl/server'
import { PageMessages } from '@/components/shell/page-messages'
import { pickMessages } from '@/lib/base/i18n/messages'
import { personForm } from '@/lib/fields/profile-fields/person-form'
import { followRules } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { listedPage } from '@/lib/request/title'
import { pendingAgreements } from '@/lib/sign-in/agreements/service'
import { platformSettings } from '@/lib/site/settings/service'
import { PersonalNotice } from '../_ui/personal-notice'
import { NoRegistration } from './_ui/no-registration'
import { StepOne } from './_ui/step-one'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell.screens')
  return listedPage(t('RegistrationStepOne'), 'registration')
}

/** Asks for names, e-mail and agreements, and sends a link by mail. */
export default async function RegistrationPage() {
  const { ctx } = await pageContext()
  await followRules(ctx, '/platform/registration')
  const { registrationEnabled, registrationAlive } = await platformSettings()
  if (!registrationEnabled) return <NoRegistration kind="disabled" />
  const [{ names }, terms, messages] = await Promise.all([personForm(ctx), pendingAgreements(ctx, []), getMessages()])
  return (
    <PageMessages messages={pickMessages(messages, ['person', 'registration'])}>
      <StepOne names={names} terms={terms} alive={registrationAlive} />
      <PersonalNotice />
    </PageMessages>
  )
}
