import { getLocale, getTranslations } from 'next-intl/server'
import { limitEnd } from '@/components/form/limit-end'
import { Alert } from '@/components/ui/alert'
import { getZone } from '@/components/ui/get-zone'
import { TextLink } from '@/components/ui/text-link'
import { inSentence } from '@/lib/base/i18n/in-sentence'
import { wordsOf } from '@/lib/base/i18n/words'
import type { Failure } from './failure'
import { RunningTime } from './running-time'
import { WaysOut } from './ways-out'

type Props = {
  failure: Failure | null
  /** The fields of the step, by the names that calls and forms use. */
  fields: Record<string, { id: string; label: string }>
  /** A text above the field errors, shown if the person has no other way to sign in. */
  formTitle?: string
  /** A text below the field errors. */
  formText?: string
  /** What has failed, said first of a failure that isn't about fields. */
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
export async function FailureAlert({ failure, fields, formTitle, formText, action, announced = false }: Props) {
  if (!failure) return null
  const [t, errors, locale, zoneOf] = await Promise.all([
    getTranslations(),
    getTranslations('errors'),
    getLocale(),
    getZone(),
  ])
  const words = wordsOf(errors)
  const errorText = (code: string) => (words.has(code) ? words(code) : words('errorUnknown'))
  const endOf = (moment: number) => {
    const until = limitEnd(moment)
    return { until, zone: zoneOf(until) }
  }
  const alert = (title: string) => failureBox(title, announced)
  const failedAction = action ? <p>{action}</p> : null
  switch (failure.kind) {
    case 'offline':
    case 'tech':
      return (
        <Alert {...alert(t('errors.techErrorTitle'))}>
          {failedAction}
          <p>{failure.kind === 'tech' && failure.advice ? errorText(failure.advice) : t('errors.techError')}</p>
          {failure.kind === 'tech' && failure.requestId ? (
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
    case 'fields':
    case 'form':
      return (
        <Alert {...alert(formTitle ?? t(failure.kind === 'form' ? 'errors.formError' : 'errors.errorFields'))}>
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
          {formText ? <p>{formText}</p> : null}
        </Alert>
      )
  }
}
