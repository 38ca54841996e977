import { useTranslations } from 'next-intl'
import { useErrorText } from '@/components/form/use-error-text'
import { useLimitEnd } from '@/components/form/use-limit-end'
import { Alert } from '@/components/ui/alert'
import { TextLink } from '@/components/ui/text-link'
import type { Failure } from '../../_ui/failure'
import { FailureAlert, failureBox } from '../../_ui/failure-alert'

/** Codes with an own text below `title`; that of a limit names its end, if the answer does. */
const limits = new Set(['registrationDailyLimit', 'registrationEmailLimit'])
const explained = new Set([...limits, 'registrationDisabled', 'addressDenied'])
/** Codes whose text is a title. */
const titled = new Set(['formExpired'])

type Props = {
  failure: Failure | null
  /** The fields of the step, by the names that calls and forms use. */
  fields: Record<string, { id: string; label: string }>
  /** The title: which action failed. */
  title: string
}

/**
 * Why a step of a registration failed (docs/rules/registration.md#failures). For faults outside the form it says whom
 * to ask.
 */
export function RegistrationFailure({ failure, fields, title }: Props) {
  const t = useTranslations('registration')
  const tCommon = useTranslations('common')
  const errorText = useErrorText()
  const endOf = useLimitEnd()
  if (failure?.kind === 'tech') {
    const { requestId } = failure
    return (
      <Alert {...failureBox(title)}>
        <p>{t('errorRequestText')}</p>
        {requestId ? (
          <p className="text-ink-second text-note">
            {tCommon.rich('requestId', { id: () => <span className="break-all font-mono">{requestId}</span> })}
          </p>
        ) : null}
      </Alert>
    )
  }
  if (failure?.kind === 'wait' && limits.has(failure.code))
    return (
      <Alert {...failureBox(title)}>
        <p>{errorText(`${failure.code}Until`, endOf(failure.until))}</p>
      </Alert>
    )
  if (failure?.kind !== 'refused' || titled.has(failure.code))
    return (
      <FailureAlert
        failure={failure}
        fields={fields}
        formTitle={t('errorFieldsTitle')}
        formText={t('errorFieldsText')}
        action={title}
      />
    )
  const { code } = failure
  if (code === 'directoryAccount')
    return (
      <Alert {...failureBox(title)}>
        <p>{t('directoryAccount')}</p>
        <p>
          <TextLink href="/platform/login">{tCommon('toSignIn')}</TextLink>
        </p>
      </Alert>
    )
  return (
    <Alert {...failureBox(title)}>
      <p>{explained.has(code) ? errorText(code) : t('errorRequestText')}</p>
    </Alert>
  )
}
