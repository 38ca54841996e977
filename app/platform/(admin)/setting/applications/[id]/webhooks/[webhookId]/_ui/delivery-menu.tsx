'use client'

import { Eye, RotateCcw } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { lazy, Suspense } from 'react'
import { type Action, sends } from '@/components/form/actions'
import { RowActions } from '@/components/form/row-actions'
import { useErrorText } from '@/components/form/use-error-text'
import type { WebhookDelivery } from '@/lib/applications/webhooks/contract'
import { typeWords } from '../../../_ui/webhook-words'

// it is loaded when its dialog opens
const Delivery = lazy(() => import('./delivery').then((part) => ({ default: part.Delivery })))

type Props = {
  delivery: Pick<WebhookDelivery, 'id' | 'type' | 'replayable' | 'status'>
  /** What distinguishes it from others, for screen readers. */
  name: string
  params: { id: string; webhookId: string }
  enabled: boolean
  mayWrite: boolean
}

/** The actions on a message of the log: show it, and send it again. */
export function DeliveryMenu({ delivery, name, params, enabled, mayWrite }: Props) {
  const [t, tUi, errorText] = [useTranslations('webhooks'), useTranslations('ui'), useErrorText()]
  const of = { ...params, deliveryId: delivery.id }
  const unavailableReason = enabled
    ? delivery.status === 'wait'
      ? 'webhookWaiting'
      : delivery.replayable
        ? null
        : 'webhookEventGone'
    : 'webhookDisabled'
  const replay = (onDone?: () => void): Action => ({
    kind: 'call',
    label: t('replay'),
    icon: RotateCcw,
    ...(unavailableReason ? { unavailable: errorText(unavailableReason) } : {}),
    sends: sends(
      () => import('@/lib/applications/webhooks/contract').then((contracts) => contracts.replayWebhookDelivery),
      { params: of },
      { onDone: () => onDone?.() },
    ),
  })
  const look: Action = {
    kind: 'dialog',
    label: tUi('view'),
    icon: Eye,
    size: 'L',
    title: typeWords(t)(delivery.type),
    body: (done) => (
      <Suspense>
        <Delivery params={of} replay={mayWrite && !unavailableReason ? replay(done) : null} />
      </Suspense>
    ),
  }
  return <RowActions row={name} actions={[look, mayWrite && replay()]} />
}
