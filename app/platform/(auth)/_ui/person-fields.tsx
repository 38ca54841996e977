import { useLocale, useTranslations } from 'next-intl'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { useErrorText } from '@/components/form/use-error-text'
import { PasswordPair, passwordIds } from '@/components/plain/password-pair'
import { PublicForm, stepFormId } from '@/components/plain/public-form'
import type { TermsRequired } from '@/lib/base/runtime/errors'
import { mobileText } from '@/lib/base/text/mobile'
import type { NameField, PersonForm } from '@/lib/fields/profile-fields/person-form'
import type { PasswordRules } from '@/lib/sign-in/passwords/rules'
import { AccountName } from './account-name'
import type { FormFailure } from './form-failure'
import { FurtherInputs, furtherLabels } from './further-inputs'
import { MobileRow, mobileId } from './mobile-row'
import { NameInputs, nameLabels } from './name-inputs'
import { stepHeadingId } from './step-heading'
import { TermsBoxes, termLabels } from './terms-boxes'

type Labels = Record<string, { id: string; label: string }>

/** Returns the fields of a new person's form, for the summary above it. */
export async function personLabels(form: PersonForm, terms: readonly TermsRequired[]): Promise<Labels> {
  const [t, tPassword] = await Promise.all([getTranslations('person'), getTranslations('entry.password')])
  return {
    ...nameLabels(form.names),
    ...furtherLabels(form.further),
    mobile: { id: mobileId, label: t('mobile') },
    password: { id: passwordIds.password, label: tPassword('password') },
    repeatPassword: { id: passwordIds.repeatPassword, label: tPassword('repeat') },
    ...termLabels(terms),
  }
}

type Props = {
  /** Which form of the page it is. */
  form: string
  /** What is asked for. */
  fields: PersonForm
  /** What the person has told before. */
  told: Partial<Record<NameField['code'], string>>
  /** The proven mobile, as E.164. */
  mobile: string | null
  /** The address of the step that asks for the mobile. */
  toMobile: string
  /** The e-mail with which the account will sign in. */
  email: string
  rules: PasswordRules
  terms: readonly TermsRequired[]
  /** What stands above the agreements. */
  aboutTerms?: ReactNode
  failed: FormFailure | null
  children: ReactNode
}

/** The form of a new person: names, further required fields, the mobile, a password, and agreements. */
export function PersonFields({ form, fields, told, mobile, toMobile, email, rules, terms, ...props }: Props) {
  const { aboutTerms, failed, children } = props
  const t = useTranslations('person')
  const errorText = useErrorText()
  const locale = useLocale()
  const fault = failed?.errors.mobile
  return (
    <PublicForm form={form} id={stepFormId} aria-labelledby={stepHeadingId} className="grid gap-6">
      {fields.mobile ? (
        <>
          <input type="hidden" name="mobile" value={mobile ?? ''} />
          <MobileRow
            label={fields.mobile.required ? t('mobile') : t('optional', { label: t('mobile') })}
            mobile={mobile && mobileText(mobile, locale)}
            verified={mobile !== null}
            error={fault && errorText(fault)}
            change={toMobile}
          />
        </>
      ) : null}
      <NameInputs
        names={fields.names}
        typed={(code) => failed?.typed(code) ?? told[code as NameField['code']]}
        failed={failed}
      />
      <FurtherInputs fields={fields.further} locale={locale} failed={failed} />
      <AccountName value={email} />
      <PasswordPair rules={rules} errors={failed?.errors ?? {}} />
      {terms.length > 0 ? (
        <div className="grid gap-4">
          {aboutTerms}
          <TermsBoxes terms={terms} errors={failed?.errors ?? {}} before={failed} />
        </div>
      ) : null}
      {children}
    </PublicForm>
  )
}
