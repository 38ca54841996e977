import { getTranslations } from 'next-intl/server'
import { getCountryCodes } from '@/lib/applications/start-up/service'
import { personForm } from '@/lib/fields/profile-fields/person-form'
import { type LinkMobile, shownStep } from '@/lib/joining/forms/mobile'
import type { InvitationView } from '@/lib/joining/invitations/contract'
import { pageContext } from '@/lib/request/page'
import { passwordRules } from '@/lib/sign-in/passwords/rules-of-settings'
import { platformSettings } from '@/lib/site/settings/service'
import { FailureAlert } from '../../../_ui/failure-alert'
import type { FormFailure } from '../../../_ui/form-failure'
import { MobileCode } from '../../../_ui/mobile-code'
import { MobileNumber } from '../../../_ui/mobile-number'
import { PersonFields, personLabels } from '../../../_ui/person-fields'
import { PersonalNotice } from '../../../_ui/personal-notice'
import { StepButton } from '../../../_ui/step-button'
import { ToDecline } from './decline'
import { Offer } from './offer'

type Props = {
  view: InvitationView
  mobile: LinkMobile
  /** The step that the address names. */
  named: unknown
  /** Returns the address of a step. */
  addressOf: (step: string) => string
  failed: FormFailure | null
}

/**
 * For somebody without an account: a mobile with its code, then names, a password and the terms, with which they accept;
 * or they decline.
 */
export async function Newcomer({ view, mobile, named, addressOf, failed }: Props) {
  const { ctx } = await pageContext()
  const [t, form, { authCodeDigits }] = await Promise.all([
    getTranslations('invitation'),
    personForm(ctx),
    platformSettings(),
  ])
  const step = shownStep(named, form.mobile, mobile)
  const toMobile = addressOf('mobile')
  if (step === 'code' && mobile.asked)
    return <MobileCode {...mobile.asked} failed={failed} codeDigits={authCodeDigits} change={toMobile} />
  const decline = <ToDecline to={addressOf('decline')} />
  if (step === 'mobile') {
    const { countries } = await getCountryCodes(ctx)
    return (
      <>
        <div className="grid grid-cols-1 gap-6">
          <Offer view={view} />
          <div className="grid gap-1">
            <h2 className="text-section">{t('mobile.title')}</h2>
            <p className="text-ink-second">{t('mobile.lead')}</p>
          </div>
          <MobileNumber
            opens={named === 'mobile'}
            countries={countries}
            asked={mobile.asked?.mobile}
            failed={failed}
            skip={form.mobile?.required ? null : addressOf('person')}
          />
          {decline}
        </div>
        <PersonalNotice />
      </>
    )
  }
  const terms = view.termsRequired
  const [rules, labels] = await Promise.all([passwordRules(ctx.locale), personLabels(form, terms)])
  return (
    <>
      <div className="grid grid-cols-1 gap-6">
        <Offer view={view} />
        <div className="grid gap-1">
          <h2 className="text-section">{t('form.title')}</h2>
          <p className="text-ink-second">{t('form.lead', { email: view.email })}</p>
        </div>
        <FailureAlert failure={failed?.failure ?? null} fields={labels} action={t('acceptFailed')} />
        <PersonFields
          form="join"
          fields={form}
          told={{}}
          mobile={mobile.proven}
          toMobile={toMobile}
          email={view.email}
          rules={rules}
          terms={terms}
          failed={failed}
        >
          <div className="grid gap-3">
            <StepButton>{t('accept')}</StepButton>
            {decline}
          </div>
        </PersonFields>
      </div>
      <PersonalNotice />
    </>
  )
}
