'use client'

import { useTranslations } from 'next-intl'
import { decidedText, type Text } from '../form/failure-text'
import { useErrorText } from '../form/use-error-text'
import { CircleAlert, CircleCheck } from '../ui/icons'
import type { BulkResult } from './run'

type Props = { results: readonly BulkResult[]; labelOf: (id: string) => string; done: string }

/**
 * The result of an action on several rows, one line each, failures first. `done` is the text for rows without a
 * failure.
 */
export function BulkResults({ results, labelOf, done }: Props) {
  const t = useTranslations('ui.bulk')
  const errorText = useErrorText()
  const reason = ({ code, decided }: BulkResult) => {
    if (code === null) return done
    if (code === 'notSent') return t('notSent')
    const text: Text = decided ? decidedText(code, decided) : { code }
    return errorText(text.code, text.params)
  }
  const failed = results.filter(({ code }) => code !== null)
  const well = results.filter(({ code }) => code === null)
  return (
    <div className="grid gap-3">
      <p role="status">{t('result', { done: well.length, failed: failed.length })}</p>
      <ul className="grid divide-y divide-line rounded-card border border-line">
        {[...failed, ...well].map((result) => {
          const { id, code } = result
          return (
            <li key={id} className="flex items-start gap-2.5 px-4 py-2.5 text-table">
              {code === null ? (
                <CircleCheck className="mt-0.5 size-4 text-ok" />
              ) : (
                <CircleAlert className="mt-0.5 size-4 text-danger" />
              )}
              <span className="grid min-w-0 gap-0.5">
                <span className="wrap-anywhere">{labelOf(id)}</span>
                <span className={code === null ? 'text-note text-ok' : 'text-danger text-note'}>{reason(result)}</span>
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
