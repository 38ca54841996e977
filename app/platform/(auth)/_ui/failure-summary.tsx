'use client'

import { useLocale, useTranslations } from 'next-intl'
import { ErrorSummary } from '@/components/form/error-summary'
import { useErrorText } from '@/components/form/use-error-text'
import { useLimitEnd } from '@/components/form/use-limit-end'
import { Button } from '@/components/ui/button'
import { inSentence } from '@/lib/base/i18n/in-sentence'
import type { FieldError } from '@/lib/base/runtime/errors'
import { Countdown } from './countdown'
import { stepForm } from './step-title'
import type { Failed } from './use-submission'
import { WaysOut } from './ways-out'

type Props = {
  failed: Failed | null
  /** The fields of the step, by the names that calls and forms use. */
  fields: Record<string, { id: string; label: string }>
  /** A text above the field errors, shown if the person has no other way to sign in. */
  formTitle?: string
  /** A text below the field errors. */
  formText?: string
  /** The focus doesn't move, for example from the only field of the step; screen readers read the summary out. */
  announced?: boolean
  /** What the retry button does; by default it submits the form of the step. */
  onRetry?: () => void
}

/** The summary above the form of a step: why it failed and what to do. It takes the focus, unless it is `announced`. */
export function FailureSummary({ failed, fields, formTitle, formText, announced = false, onRetry }: Props) {
  const t = useTranslations()
  const locale = useLocale()
  const errorText = useErrorText()
  const endOf = useLimitEnd()
  if (!failed) return null
  const { failure, count } = failed
  const items = (errorList: FieldError[]) =>
    errorList.map(({ field, code }) => {
      const formField = fields[field]
      if (!formField) return { text: errorText(code) }
      return {
        fieldId: formField.id,
        text: t('common.fieldError', { label: formField.label, error: inSentence(errorText(code), locale) }),
      }
    })
  switch (failure.kind) {
    case 'tech':
      return (
        <ErrorSummary key={count} announced={announced} title={t('errors.techErrorTitle')}>
          <p>{failure.advice ? errorText(failure.advice) : t('errors.techError')}</p>
          {failure.requestId ? (
            <p className="text-ink-second text-note">
              {t.rich('common.requestId', {
                id: () => <span className="break-all font-mono">{failure.requestId}</span>,
              })}
            </p>
          ) : null}
          <WaysOut />
        </ErrorSummary>
      )
    case 'offline':
      return (
        <ErrorSummary key={count} announced={announced} title={t('errors.techErrorTitle')}>
          <p>{t('errors.offline')}</p>
          <Button
            type={onRetry ? 'button' : 'submit'}
            form={stepForm.id}
            variant="secondary"
            size="S"
            onClick={onRetry}
            className="mt-1.5 justify-self-start"
          >
            {t('common.tryAgain')}
          </Button>
          <WaysOut />
        </ErrorSummary>
      )
    case 'expired':
      return <ErrorSummary key={count} announced={announced} title={t('errors.expiredError')} />
    case 'wait':
      return (
        <ErrorSummary key={count} announced={announced} title={t('entry.wait.title')}>
          {failure.far ? <p>{t('entry.wait.until', endOf(failure.until))}</p> : <Countdown until={failure.until} />}
        </ErrorSummary>
      )
    case 'codeLimit':
      return (
        <ErrorSummary key={count} announced={announced} title={t('entry.code.dailyLimit.title')}>
          <p>
            {failure.until ? t('entry.code.dailyLimit.until', endOf(failure.until)) : t('entry.code.dailyLimit.closed')}{' '}
            {t('entry.code.dailyLimit.text')}
          </p>
        </ErrorSummary>
      )
    case 'refused':
      return <ErrorSummary key={count} announced={announced} title={errorText(failure.code)} />
    case 'fields':
    case 'form': {
      const title = formTitle ?? t(failure.kind === 'form' ? 'errors.formError' : 'errors.errorFields')
      return (
        <ErrorSummary key={count} announced={announced} title={title} items={items(failure.errorList)}>
          {formText ? <p>{formText}</p> : null}
        </ErrorSummary>
      )
    }
  }
}
