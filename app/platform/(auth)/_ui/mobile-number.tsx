import { useTranslations } from 'next-intl'
import { focused } from '@/components/form/focused'
import { inputClasses } from '@/components/form/input-classes'
import { PlainField, plainControl } from '@/components/plain/plain-field'
import { PublicForm, stepFormId } from '@/components/plain/public-form'
import { cn } from '@/components/ui/cn'
import { ChevronDown } from '@/components/ui/icons'
import { TextLink } from '@/components/ui/text-link'
import type { getCountryCodes } from '@/lib/applications/start-up/service'
import { splitMobile } from '@/lib/base/text/mobile-country'
import { FailureAlert } from './failure-alert'
import { FieldMessage } from './field-message'
import type { FormFailure } from './form-failure'
import { mobileId as id } from './mobile-row'
import { RunningTime } from './running-time'
import { StepButton } from './step-button'
import { stepHeadingId } from './step-heading'
import { useMobileError } from './use-mobile-error'

/** The country that is offered first. */
const home = 'RU'

type Props = {
  countries: Awaited<ReturnType<typeof getCountryCodes>>['countries']
  /** The number that was asked for last, as E.164. */
  asked: string | undefined
  failed: FormFailure | null
  /** The address of the next step, if the person need not tell a mobile. */
  skip: string | null
  /** Whether the page opens with the focus in the field. */
  opens: boolean
}

/** Asks for a mobile, to which a code is sent then. */
export function MobileNumber({ countries, asked, failed, skip, opens }: Props) {
  const t = useTranslations('person')
  const tCode = useTranslations('entry.code')
  const error = useMobileError(failed)
  const other = error || !failed ? null : failed.failure
  const { country, rest } = splitMobile(asked ?? '', countries, home)
  const label = skip ? t('optional', { label: t('mobile') }) : t('mobile')
  const elsewhere = other?.kind === 'wait' && other.code === 'codeElsewhere' ? other : null
  return (
    <>
      <FailureAlert announced failure={elsewhere ? null : other} action={t('codeFailed')} />
      <FieldMessage>{error}</FieldMessage>
      <PublicForm form="mobile" id={stepFormId} aria-labelledby={stepHeadingId} className="grid gap-6">
        <PlainField id={id} label={label} error={error}>
          <div className="flex">
            <div className="relative w-32 shrink-0">
              <select
                name="country"
                aria-label={t('country')}
                defaultValue={failed?.typed('country') ?? country}
                autoComplete="tel-country-code"
                data-country-of={id}
                className={cn(
                  inputClasses,
                  'h-12 cursor-pointer appearance-none truncate rounded-r-none border-r-0 pr-8',
                )}
              >
                {countries.map(({ code, name, callingCode }) => (
                  <option key={code} value={code} data-calling={callingCode}>
                    {callingCode} {name}
                  </option>
                ))}
              </select>
              <ChevronDown className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-second" />
            </div>
            <input
              {...plainControl(id, error)}
              {...(opens && focused)}
              name="mobile"
              type="tel"
              inputMode="tel"
              autoComplete="tel-national"
              maxLength={32}
              defaultValue={failed?.typed('mobile') ?? rest}
              enterKeyHint="send"
              className={cn(inputClasses, 'h-12 min-w-0 rounded-l-none')}
            />
          </div>
        </PlainField>
        {elsewhere ? (
          <p role="alert" className="grid gap-1.5 text-ink-second text-note">
            {tCode('elsewhereWait')}
            <RunningTime label={tCode('resendIn')} until={elsewhere.until} />
          </p>
        ) : null}
        <div className="grid gap-4">
          <StepButton>{t('getCode')}</StepButton>
          {skip ? (
            <TextLink href={skip} className="inline-flex items-center justify-self-start pointer-coarse:min-h-11">
              {t('skipMobile')}
            </TextLink>
          ) : null}
        </div>
      </PublicForm>
    </>
  )
}
