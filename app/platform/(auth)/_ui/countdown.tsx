'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useLimitEnd } from '@/components/form/use-limit-end'

const secondsTo = (until: number) => Math.max(0, Math.ceil((until - Date.now()) / 1000))

/** Shows how long to wait, and until when if it is more than a minute. It reads the clock and doesn't count seconds, so it is right after the tab has slept. */
export function Countdown({ until }: { until: number }) {
  const t = useTranslations('entry.wait')
  const tCommon = useTranslations('common')
  const endOf = useLimitEnd()
  const [left, setLeft] = useState(() => secondsTo(until))
  const over = left === 0
  useEffect(() => {
    if (over) return
    const timer = setInterval(() => setLeft(secondsTo(until)), 1000)
    return () => clearInterval(timer)
  }, [until, over])
  if (over) return <p>{t('over')}</p>
  const [minutes, seconds] = [Math.floor(left / 60), left % 60]
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
