'use client'

import { RotateCw, SkipForward } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'
import type { UndeliveredEvent } from '@/lib/operations/undelivered-events/contract'

const calls = () => import('@/lib/operations/undelivered-events/contract')
const retryEvent = () => calls().then((loaded) => loaded.retryEvent)
const skipEvent = () => calls().then((loaded) => loaded.skipEvent)

/** The actions for an undelivered event; `name` identifies it. */
export function EventActions({ event: { id, reason, handler }, name }: { event: UndeliveredEvent; name: string }) {
  const t = useTranslations('overview.events')
  return (
    <div className="flex flex-wrap gap-2">
      {reason === 'failed' ? (
        <ActionButton
          name={t('retryNamed', { event: name })}
          action={{
            kind: 'call',
            label: t('retry'),
            icon: RotateCw,
            sends: sends(retryEvent, { params: { id } }),
          }}
        />
      ) : null}
      <ActionButton
        name={t('skipNamed', { event: name })}
        action={{
          kind: 'confirm',
          label: t('skip'),
          icon: SkipForward,
          tone: 'danger',
          ask: { title: t('skipTitle', { event: name }), text: t('skipText', { handler }) },
          sends: sends(skipEvent, { params: { id } }),
        }}
      />
    </div>
  )
}
