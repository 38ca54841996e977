'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { Alert } from '@/components/ui/alert'
import { roleEffect } from '@/lib/access/roles/contract'
import type { CallOutput } from '@/lib/base/contracts/contract'
import { call } from '@/lib/base/http/client'

type Effect = CallOutput<typeof roleEffect>

/** Milliseconds after a change before the effect is counted, and the largest number of methods for which it is. */
const [settled, counted] = [300, 150]

/** How many people gain and lose methods by a change of a role, before it is saved. */
export function RoleEffect({ id, give, take }: { id: string; give: string[]; take: string[] }) {
  const t = useTranslations('roles.effect')
  const [effect, setEffect] = useState<Effect | 'failed' | null>(null)
  const key = `${give.join()} ${take.join()}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lists are new each time, their content is the key
  useEffect(() => {
    const abort = new AbortController()
    setEffect(null)
    if (give.length + take.length === 0) return
    const query = {
      ...(give.length > 0 ? { give: give.slice(0, counted) } : {}),
      ...(take.length > 0 ? { take: take.slice(0, counted) } : {}),
    }
    const timer = setTimeout(() => {
      call(roleEffect, { params: { id }, query }, { signal: abort.signal }).then(setEffect, () => {
        if (!abort.signal.aborted) setEffect('failed')
      })
    }, settled)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [id, key])
  const changed = give.length + take.length > 0
  return (
    <div aria-live="polite">
      {changed && effect === null ? <p className="text-ink-second text-note">{t('counting')}</p> : null}
      {effect === 'failed' ? <Alert tone="warning">{t('failed')}</Alert> : null}
      {changed && effect && effect !== 'failed' ? (
        <Alert tone={effect.lose > 0 ? 'warning' : 'info'} title={t('title')}>
          {effect.gain > 0 ? <p>{t('gain', { count: effect.gain })}</p> : null}
          {effect.lose > 0 ? <p>{t('lose', { count: effect.lose })}</p> : null}
          {effect.gain + effect.lose === 0 ? <p>{t('none')}</p> : null}
          {effect.people.more ? <p className="text-ink-second">{t('of', { count: effect.people.count })}</p> : null}
        </Alert>
      ) : null}
    </div>
  )
}
