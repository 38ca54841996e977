import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { getCountryCodes } from '@/lib/applications/start-up/service'
import { shownStep } from '@/lib/joining/forms/mobile'
import { type RegistrationState, registrationState } from '@/lib/joining/registration/service'
import { pageContext } from '@/lib/request/page'
import { pageTitle } from '@/lib/request/title'
import { passwordRules } from '@/lib/sign-in/passwords/rules-of-settings'
import { platformSettings } from '@/lib/site/settings/service'
import { formFailure } from '../../_ui/form-failure'
import { MobileCode } from '../../_ui/mobile-code'
import { MobileNumber } from '../../_ui/mobile-number'
import { PersonFields, personLabels } from '../../_ui/person-fields'
import { StepButton } from '../../_ui/step-button'
import { StepHeading } from '../../_ui/step-heading'
import { NoRegistration } from '../_ui/no-registration'
import { RegistrationFailure } from '../_ui/registration-failure'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell.screens')
  return pageTitle(t('RegistrationStepTwo'))
}

type Props = {
  params: Promise<{ id: string }>
  searchParams: Promise<{ step?: string | string[] }>
}
type Live = Extract<RegistrationState, { kind: 'live' }>

/**
 * Asks for the mobile and its code, then for password, further fields and changed agreements; or tells why the link no
 * longer works and what to do now.
 */
export default async function RegistrationFinishPage({ params, searchParams }: Props) {
  const { ctx } = await pageContext()
  const [{ id }, { step: named }] = await Promise.all([params, searchParams])
  const state = await registrationState(ctx, id)
  // docs/rules/links.md#pages-of-dead-links
  if (state.kind === 'notFound') redirect('/platform/404?link=registration')
  if (state.kind !== 'live') return <NoRegistration kind={state.kind} />
  const [failed, { authCodeDigits }] = await Promise.all([formFailure(), platformSettings()])
  const addressOf = (step: string) => `/platform/registration/${id}?step=${step}`
  const { form, mobile } = state
  const step = shownStep(named, form.mobile, mobile)
  if (step === 'code' && mobile.asked)
    return <MobileCode {...mobile.asked} failed={failed} codeDigits={authCodeDigits} change={addressOf('mobile')} />
  const t = await getTranslations('registration.finish')
  const email = () => <span className="wrap-anywhere font-medium text-ink">{state.email}</span>
  if (step === 'mobile') {
    const { countries } = await getCountryCodes(ctx)
    return (
      <div className="grid animate-arrive grid-cols-1 gap-6">
        <StepHeading lead={t.rich('mobile.lead', { email })}>{t('mobile.title')}</StepHeading>
        <MobileNumber
          opens
          countries={countries}
          asked={mobile.asked?.mobile}
          failed={failed}
          skip={form.mobile?.required ? null : addressOf('person')}
        />
      </div>
    )
  }
  return <Person state={state} toMobile={addressOf('mobile')} />
}

/** The last step: the form of the person. */
async function Person({ state, toMobile }: { state: Live; toMobile: string }) {
  const { ctx } = await pageContext()
  const { email, form, mobile, names, terms } = state
  const [t, failed, rules, labels] = await Promise.all([
    getTranslations('registration'),
    formFailure(),
    passwordRules(ctx.locale),
    personLabels(form, terms),
  ])
  return (
    <div className="grid animate-arrive grid-cols-1 gap-6">
      <StepHeading
        lead={t.rich('finish.lead', {
          email: () => <span className="wrap-anywhere font-medium text-ink">{email}</span>,
        })}
      >
        {t('finish.title')}
      </StepHeading>
      <RegistrationFailure failure={failed?.failure ?? null} fields={labels} title={t('errorCompleteTitle')} />
      <PersonFields
        form="complete"
        fields={form}
        told={names}
        mobile={mobile.proven}
        toMobile={toMobile}
        email={email}
        rules={rules}
        terms={terms}
        aboutTerms={<p className="text-ink-second">{t('finish.terms')}</p>}
        failed={failed}
      >
        <StepButton>{t('finish.submit')}</StepButton>
      </PersonFields>
    </div>
  )
}
