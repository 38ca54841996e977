import { useLocale, useTranslations } from 'next-intl'
import { useErrorText } from '@/components/form/use-error-text'
import { useLimitEnd } from '@/components/form/use-limit-end'
import { Alert } from '@/components/ui/alert'
import { TextLink } from '@/components/ui/text-link'
import { inSentence } from '@/lib/base/i18n/in-sentence'
import type { Failure } from './failure'
import { RunningTime } from './running-time'
import { WaysOut } from './ways-out'

type Props = {
  failure: Failure | null
  /** The fields of the step to which the alert leads, by the names that calls and forms use. */
  fields?: Record<string, { id: string; label: string }>
  /** Replaces the title above faults of these fields. */
  formTitle?: string
  /** A text below them. */
  formText?: string
  /** What has failed, unless it is signing in: said first, or as the title of faults that no field shows. */
  action?: string
  /** The focus stays in the only field of the step; screen readers read the failure out. */
  announced?: boolean
}

/** The properties of the alert above a form that has failed. It takes the focus, unless it is `announced`. */
export const failureBox = (title: string, announced = false) => ({
  tone: 'danger' as const,
  role: announced ? 'alert' : 'group',
  title,
  'aria-label': title,
  tabIndex: -1,
  autoFocus: !announced,
  'data-quiet-focus': true,
  'data-failure': true,
})

/** Says above the form of a step why it failed and what to do. It takes the focus, unless it is `announced`. */
export function FailureAlert({ failure, fields = {}, formTitle, formText, action, announced = false }: Props) {
  const t = useTranslations()
  const locale = useLocale()
  const errorText = useErrorText()
  const endOf = useLimitEnd()
  if (!failure) return null
  const alert = (title: string) => failureBox(title, announced)
  const failedAction = action ? <p>{action}</p> : null
  switch (failure.kind) {
    case 'tech':
      return (
        <Alert {...alert(t('errors.techErrorTitle'))}>
          {failedAction}
          <p>{failure.advice ? errorText(failure.advice) : t('errors.techError')}</p>
          {failure.requestId ? (
            <p className="text-ink-second text-note">
              {t.rich('common.requestId', {
                id: () => <span className="break-all font-mono">{failure.requestId}</span>,
              })}
            </p>
          ) : null}
          <WaysOut />
        </Alert>
      )
    case 'expired':
      return <Alert {...alert(t('errors.expiredError'))}>{failedAction}</Alert>
    case 'wait':
      return (
        <Alert {...alert(t('entry.wait.title'))}>
          {failedAction}
          {failure.far ? (
            <p>{t('entry.wait.until', endOf(failure.until))}</p>
          ) : (
            <p>
              <RunningTime
                label={(digits) =>
                  t.rich(failure.until - Date.now() > 60_000 ? 'entry.wait.textAt' : 'entry.wait.text', {
                    time: () => digits,
                    ...endOf(failure.until),
                  })
                }
                until={failure.until}
                over={t('entry.wait.over')}
              />
            </p>
          )}
        </Alert>
      )
    case 'codeLimit':
      return (
        <Alert {...alert(t('entry.code.dailyLimit.title'))}>
          {failedAction}
          <p>
            {failure.until ? t('entry.code.dailyLimit.until', endOf(failure.until)) : t('entry.code.dailyLimit.closed')}{' '}
            {t('entry.code.dailyLimit.text')}
          </p>
        </Alert>
      )
    case 'refused':
      return <Alert {...alert(errorText(failure.code))}>{failedAction}</Alert>
    case 'form': {
      const marked = failure.errorList.some(({ field }) => fields[field])
      const title = marked ? (formTitle ?? t('errors.errorFields')) : (action ?? t('errors.formError'))
      return (
        <Alert {...alert(title)}>
          <ul className="grid gap-1">
            {failure.errorList.map(({ field, code }) => {
              const labelled = fields[field]
              if (!labelled) return <li key={`${field} ${code}`}>{errorText(code)}</li>
              const text = t('common.fieldError', {
                label: labelled.label,
                error: inSentence(errorText(code), locale),
              })
              return (
                <li key={`${field} ${code}`}>
                  <TextLink href={`#${labelled.id}`} tone="danger">
                    {text}
                  </TextLink>
                </li>
              )
            })}
          </ul>
          {marked && formText ? <p>{formText}</p> : null}
        </Alert>
      )
    }
  }
}
