'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import type { TextCase } from './cases-of-text'
import { hasCases } from './has-cases'

const isCounted = (text: string) => /\{\s*\w+\s*,\s*(plural|selectordinal)\s*,/.test(text)

type Props = {
  /** The typed text. */
  text: string
  /** The code of its language. */
  lang: string
}

/** How to write a text with cases, and the result of the typed text in each of them. */
export function TextCasesNote({ text, lang }: Props) {
  const t = useTranslations('cases-of-texts')
  const [cases, setCases] = useState<readonly TextCase[]>([])
  useEffect(() => {
    let ended = false
    // the parser is loaded for the few texts that have cases
    import('./cases-of-text').then(({ casesOf }) => ended || setCases(casesOf(text, lang))).catch(() => undefined)
    return () => {
      ended = true
    }
  }, [text, lang])
  if (!hasCases(text)) return null
  return (
    <div className="grid gap-1.5 rounded-control bg-sunken px-3.5 py-2.5 text-note">
      <p className="text-ink-second">{t(isCounted(text) ? 'counted' : 'chosen')}</p>
      {cases.length > 0 ? (
        <dl aria-label={t('label')} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
          {cases.map(({ when, says }) => (
            <div key={when} className="contents">
              <dt className="font-mono text-ink-second">{when}</dt>
              <dd lang={lang} className="wrap-anywhere whitespace-pre-line">
                {says}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </div>
  )
}
