'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useLimitEnd } from '@/components/form/use-limit-end'

const secondsTo = (until: number) => Math.max(0, Math.ceil((until - Date.now()) / 1000))

/**
 * Shows how long to wait, and until when if it is more than a minute. It reads the clock and doesn't count seconds, so
 * it is right after the tab has slept.
 */
export function Countdown({ until }: { until: number }) {
  const t = useTranslations('entry.wait')
  const tCommon = useTranslations('common')
  const endOf = useLimitEnd()
  const [secondsLeft, setSecondsLeft] = useState(() => secondsTo(until))
  const ended = secondsLeft === 0
  useEffect(() => {
    if (ended) return
    const timer = setInterval(() => setSecondsLeft(secondsTo(until)), 1000)
    return () => clearInterval(timer)
  }, [until, ended])
  if (ended) return <p>{t('over')}</p>
  const [minutes, seconds] = [Math.floor(secondsLeft / 60), secondsLeft % 60]
  const words = [
    minutes > 0 ? tCommon('waitMinutes', { count: minutes }) : '',
    seconds > 0 ? tCommon('waitSeconds', { count: seconds }) : '',
  ]
  return (
    <p>
      {t.rich(minutes > 0 ? 'textAt' : 'text', {
        time: () => <span className="font-medium tabular-nums">{words.filter(Boolean).join(' ')}</span>,
        ...endOf(until),
      })}
    </p>
  )
}
