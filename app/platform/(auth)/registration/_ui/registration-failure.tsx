'use client'

import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { ErrorSummary } from '@/components/form/error-summary'
import { useErrorText } from '@/components/form/use-error-text'
import { useLimitEnd } from '@/components/form/use-limit-end'
import { TextLink } from '@/components/ui/text-link'
import { FailureSummary } from '../../_ui/failure-summary'

/** Codes with an own text below `title`; that of a limit names its end, if the answer does. */
const limits = new Set(['registrationDailyLimit', 'registrationEmailLimit'])
const explained = new Set([...limits, 'registrationDisabled', 'addressDenied'])

type Props = Pick<ComponentProps<typeof FailureSummary>, 'failed' | 'fields'> & {
  /** The title: which action failed. */
  title: string
}

/**
 * Why a step of a registration failed (docs/rules/registration.md#failures). For faults outside the form it says whom
 * to ask.
 */
export function RegistrationFailure({ failed, fields, title }: Props) {
  const t = useTranslations('registration')
  const tCommon = useTranslations('common')
  const errorText = useErrorText()
  const endOf = useLimitEnd()
  if (failed?.failure.kind === 'tech') {
    const { requestId } = failed.failure
    return (
      <ErrorSummary key={failed.count} title={title}>
        <p>{t('errorRequestText')}</p>
        {requestId ? (
          <p className="text-ink-second text-note">
            {tCommon.rich('requestId', { id: () => <span className="break-all font-mono">{requestId}</span> })}
          </p>
        ) : null}
      </ErrorSummary>
    )
  }
  if (failed?.failure.kind === 'wait' && limits.has(failed.failure.code))
    return (
      <ErrorSummary key={failed.count} title={title}>
        <p>{errorText(`${failed.failure.code}Until`, endOf(failed.failure.until))}</p>
      </ErrorSummary>
    )
  if (failed?.failure.kind !== 'refused')
    return (
      <FailureSummary
        failed={failed}
        fields={fields}
        formTitle={t('errorFieldsTitle')}
        formText={t('errorFieldsText')}
      />
    )
  const { code } = failed.failure
  if (code === 'directoryAccount')
    return (
      <ErrorSummary key={failed.count} title={title}>
        <p>{t('directoryAccount')}</p>
        <p>
          <TextLink href="/platform/login">{tCommon('toSignIn')}</TextLink>
        </p>
      </ErrorSummary>
    )
  return (
    <ErrorSummary key={failed.count} title={title}>
      <p>{explained.has(code) ? errorText(code) : t('errorRequestText')}</p>
    </ErrorSummary>
  )
}
