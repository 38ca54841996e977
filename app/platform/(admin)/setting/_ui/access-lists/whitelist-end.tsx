'use client'

import { useFormatter, useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Alert } from '@/components/ui/alert'
import { useZone } from '@/components/ui/use-zone'
import { call } from '@/lib/base/http/client'
import { readWhitelistEnd } from '@/lib/network/access-lists/contract'

/** Milliseconds after the last change of a date. */
const typingPause = 250

/** The warning of an entry's form: from when the whitelist would admit nobody, if the entry is saved as it is. */
export function WhitelistEnd({ id }: { id: string | undefined }) {
  const t = useTranslations('access-lists')
  const format = useFormatter()
  const zoneOf = useZone()
  const [dateFrom, dateTo] = useWatch({ name: ['dateFrom', 'dateTo'] }) as (string | null)[]
  const [ends, setEnds] = useState<string | null>(null)
  useEffect(() => {
    let ended = false
    const query = { ...(id ? { id } : {}), ...(dateFrom ? { dateFrom } : {}), ...(dateTo ? { dateTo } : {}) }
    const timer = setTimeout(() => {
      call(readWhitelistEnd, { query }).then(
        (answer) => ended || setEnds(answer.ends),
        // if the warning can't be read now, the list shows it after saving
        () => ended || setEnds(null),
      )
    }, typingPause)
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [id, dateFrom, dateTo])
  const moment = ends && new Date(ends)
  const date = moment && `${format.dateTime(moment, { dateStyle: 'long', timeStyle: 'short' })} (${zoneOf(moment)})`
  return (
    <div role="status">
      {date ? (
        <Alert tone="warning" title={t('endsTitle', { date })}>
          <p>{t('endsText')}</p>
        </Alert>
      ) : null}
    </div>
  )
}
