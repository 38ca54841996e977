import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { personForm } from '@/lib/fields/profile-fields/person-form'
import { followRules } from '@/lib/request/navigation'
import { pageContext } from '@/lib/request/page'
import { listedPage, pageTitle } from '@/lib/request/title'
import { pendingAgreements } from '@/lib/sign-in/agreements/service'
import { platformSettings } from '@/lib/site/settings/service'
import { formFailure, formTold, sentStep } from '../_ui/form-failure'
import { PersonalNotice } from '../_ui/personal-notice'
import { LinkSent } from './_ui/link-sent'
import { NoRegistration } from './_ui/no-registration'
import { RequestForm } from './_ui/request-form'

type Props = { searchParams: Promise<{ step?: string | string[] }> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const [t, tSent] = await Promise.all([getTranslations('shell.screens'), getTranslations('registration.sent')])
  return (await sentStep((await searchParams).step))
    ? pageTitle(tSent('title'))
    : listedPage(t('RegistrationStepOne'), 'registration')
}

/** Asks for names, e-mail and agreements, and sends a link by mail. */
export default async function RegistrationPage({ searchParams }: Props) {
  const { ctx } = await pageContext()
  await followRules(ctx, '/platform/registration')
  const { registrationEnabled, registrationAlive } = await platformSettings()
  if (!registrationEnabled) return <NoRegistration kind="disabled" />
  const [{ names }, terms, failed, told, sent] = await Promise.all([
    personForm(ctx),
    pendingAgreements(ctx, []),
    formFailure(),
    formTold(),
    sentStep((await searchParams).step),
  ])
  return (
    <>
      {sent ? (
        <LinkSent sent={sent} alive={registrationAlive} failed={failed} />
      ) : (
        <RequestForm names={names} terms={terms} failed={failed} before={told} />
      )}
      <PersonalNotice />
    </>
  )
}
