import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { focused } from '@/components/form/focused'
import { inputClasses } from '@/components/form/input-classes'
import { useErrorText } from '@/components/form/use-error-text'
import { PlainField, plainControl } from '@/components/plain/plain-field'
import { PublicForm, stepFormId } from '@/components/plain/public-form'
import { cn } from '@/components/ui/cn'
import { User } from '@/components/ui/icons'
import { LinkButton, TextLink } from '@/components/ui/text-link'
import type { IdAttribute } from '@/lib/sign-in/attempts/contract'
import { FailureAlert } from '../../_ui/failure-alert'
import { FieldMessage } from '../../_ui/field-message'
import { type FormFailure, otherFailure } from '../../_ui/form-failure'
import { StepButton } from '../../_ui/step-button'
import { StepHeading, stepHeadingId } from '../../_ui/step-heading'
import { PasskeyFault, PasskeyForm } from './passkey-form'

type Props = {
  allowed: [IdAttribute, ...IdAttribute[]]
  /** What is in the field when the page opens. */
  identifier: string | undefined
  /** The account that this device remembers, if it is offered in place of the field. */
  remembered: string | undefined
  /** The address of this step with the field. */
  other: string
  failed: FormFailure | null
  /** Whether people sign in with passkeys. */
  offersPasskeys: boolean
  providers: ReactNode
  registration: ReactNode
}

const order: IdAttribute[] = ['login', 'email', 'mobile']
const fieldId = 'sign-in-identifier'
const hintId = 'sign-in-remember-hint'
const forgetForm = 'forget-form'

/**
 * Asks who signs in: one field for every kind of identifier that is accepted here, or the account that this device
 * remembers.
 */
export function IdStep({
  allowed,
  identifier,
  remembered,
  other,
  failed,
  offersPasskeys,
  providers,
  registration,
}: Props) {
  const t = useTranslations('entry')
  const tCommon = useTranslations('common')
  const errorText = useErrorText()
  const kinds = order.filter((kind) => allowed.includes(kind)).join('_')
  // the call's field is named after the kind of identifier
  const names = ['username', ...order]
  const code = names.map((name) => failed?.errors[name]).find(Boolean)
  const error = code && errorText(code)
  return (
    <div className="grid animate-arrive grid-cols-1 gap-6">
      <StepHeading lead={t('id.lead')}>{t('id.title')}</StepHeading>
      <FailureAlert announced failure={otherFailure(failed, [...names, 'passkey'])} />
      <PasskeyFault failed={failed} />
      <FieldMessage>{error}</FieldMessage>
      <PublicForm
        form="identify"
        id={stepFormId}
        data-here={other}
        aria-labelledby={stepHeadingId}
        className="grid gap-6"
      >
        {remembered && !code ? (
          <>
            <input type="hidden" name="username" value={remembered} />
            <input type="hidden" name="remembered" value="1" />
            <div className="flex items-center gap-3.5 rounded-card border border-line bg-surface py-3 pr-4 pl-3.5">
              <span
                aria-hidden="true"
                className="flex size-10 shrink-0 items-center justify-center rounded-full bg-brand-tint text-brand"
              >
                <User className="size-5" />
              </span>
              <p className="wrap-anywhere min-w-0 grow font-medium">{remembered}</p>
              <LinkButton
                type="submit"
                form={forgetForm}
                aria-label={t('remember.forgetThis', { account: remembered })}
                className="shrink-0 text-table pointer-coarse:min-h-11"
              >
                {t('remember.forget')}
              </LinkButton>
            </div>
            <div className="grid gap-4">
              <StepButton {...focused}>
                <span className="wrap-anywhere min-w-0">{t('remember.continue', { account: remembered })}</span>
              </StepButton>
              <TextLink href={other} className="inline-flex items-center justify-self-start pointer-coarse:min-h-11">
                {t('remember.other')}
              </TextLink>
            </div>
          </>
        ) : (
          <>
            <div className="grid gap-4">
              <PlainField id={fieldId} label={t('id.label', { kinds })} error={error}>
                <input
                  {...plainControl(fieldId, error)}
                  {...focused}
                  name="username"
                  defaultValue={failed?.typed('username') ?? failed?.typed('identifier') ?? identifier}
                  type="text"
                  inputMode={kinds === 'mobile' ? 'tel' : allowed.includes('email') ? 'email' : 'text'}
                  autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
                  autoCapitalize="none"
                  autoCorrect="off"
                  spellCheck={false}
                  enterKeyHint="next"
                  className={cn(inputClasses, 'h-12')}
                />
              </PlainField>
              <label className="flex cursor-pointer items-start gap-3">
                <input
                  type="checkbox"
                  name="remember"
                  defaultChecked={failed?.typed('remember') !== undefined}
                  aria-describedby={hintId}
                  className="mt-0.5 size-5 shrink-0 cursor-pointer accent-brand"
                />
                <span>
                  {t('remember.label')}
                  <span id={hintId} className="block text-ink-second text-note">
                    {t('remember.hint')}
                  </span>
                </span>
              </label>
            </div>
            <StepButton>{tCommon('continue')}</StepButton>
          </>
        )}
      </PublicForm>
      {remembered ? (
        <PublicForm form="forget" id={forgetForm}>
          {null}
        </PublicForm>
      ) : null}
      {offersPasskeys ? (
        <PasskeyForm button={{ children: t('passkey.signIn') }} look={{ variant: 'secondary', size: 'L' }} inField />
      ) : null}
      {providers}
      {registration}
    </div>
  )
}
