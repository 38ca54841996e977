'use client'

import { useLocale, useTranslations } from 'next-intl'
import { ErrorSummary } from '@/components/form/error-summary'
import { useErrorText } from '@/components/form/use-error-text'
import { TextLink } from '@/components/ui/text-link'
import type { FieldError } from '@/lib/kernel/errors'
import { Countdown } from './countdown'
import type { Failed } from './use-submission'

type Props = {
  failed: Failed | null
  /** The step's fields by the names that calls and forms have for them. */
  fields: Record<string, { id: string; label: string }>
  /** Said above field errors where there is no other way to sign in to change to. */
  formTitle?: string
  /** Said below them. */
  formText?: string
}

/** Error texts are sentences; after a label they go on in lower case, abbreviations excepted. */
const continued = (text: string) =>
  /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLocaleLowerCase() + text.slice(1) : text

/** A moment of the next day in the reader's own time: `22 ноября в 18:40`. */
const dayAndTime = (moment: number, locale: string) =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', hour: 'numeric', minute: '2-digit' }).format(moment)

/** The summary above a step's form: why it failed and what to do. It gets the focus. */
export function FailureSummary({ failed, fields, formTitle, formText }: Props) {
  const t = useTranslations()
  const locale = useLocale()
  const errorText = useErrorText()
  if (!failed) return null
  const { failure, count } = failed
  const items = (errorList: FieldError[]) =>
    errorList.map(({ field, code }) => {
      const known = fields[field]
      if (!known) return { text: errorText(code) }
      return {
        fieldId: known.id,
        text: t('common.fieldError', { label: known.label, error: continued(errorText(code)) }),
      }
    })
  switch (failure.kind) {
    case 'tech':
      return (
        <ErrorSummary key={count} title={t('errors.techErrorTitle')}>
          <p>{failure.advice ? errorText(failure.advice) : t('errors.techError')}</p>
          {failure.requestId ? (
            <p className="text-ink-second text-note">
              {t.rich('common.requestId', {
                id: () => <span className="break-all font-mono">{failure.requestId}</span>,
              })}
            </p>
          ) : null}
          <p>
            <TextLink href="/platform/login">{t('common.toSignIn')}</TextLink>
          </p>
        </ErrorSummary>
      )
    case 'expired':
      return <ErrorSummary key={count} title={t('errors.expiredError')} />
    case 'wait':
      return (
        <ErrorSummary key={count} title={t('entry.wait.title')}>
          {failure.far ? (
            <p>{t('entry.wait.until', { when: dayAndTime(failure.until, locale) })}</p>
          ) : (
            <Countdown until={failure.until} />
          )}
        </ErrorSummary>
      )
    case 'codeLimit':
      return (
        <ErrorSummary key={count} title={t('entry.code.dailyLimit.title')}>
          <p>{t('entry.code.dailyLimit.text')}</p>
          {failure.until ? (
            <p>{t('entry.code.dailyLimit.until', { when: dayAndTime(failure.until, locale) })}</p>
          ) : null}
        </ErrorSummary>
      )
    case 'refused':
      return <ErrorSummary key={count} title={errorText(failure.code)} />
    case 'fields':
    case 'form': {
      const title = formTitle ?? t(failure.kind === 'form' ? 'errors.formError' : 'errors.errorFields')
      return (
        <ErrorSummary key={count} title={title} items={items(failure.errorList)}>
          {formText ? <p>{formText}</p> : null}
        </ErrorSummary>
      )
    }
  }
}
