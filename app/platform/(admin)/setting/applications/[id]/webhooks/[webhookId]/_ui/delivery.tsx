'use client'

import { useTranslations } from 'next-intl'
import { ActionButton } from '@/components/form/action-button'
import type { Action } from '@/components/form/actions'
import { useErrorText } from '@/components/form/use-error-text'
import { useRead } from '@/components/form/use-read'
import { CopyButton } from '@/components/ui/copy-button'
import { DateTime } from '@/components/ui/date-time'
import { DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { PartFailed } from '@/components/ui/part-failed'
import { Pill } from '@/components/ui/pill'
import { Skeleton } from '@/components/ui/skeleton'
import { readWebhookDelivery } from '@/lib/applications/webhooks/contract'
import { call } from '@/lib/base/http/client'
import { MessageText } from '../../../_ui/message-text'
import { deliveryTones } from '../../../_ui/webhook-words'

type Props = {
  params: { id: string; webhookId: string; deliveryId: string }
  /** Sends it once more, if that is allowed. */
  replay: Action | null
}

const readIt = async (params: Props['params']) => (await call(readWebhookDelivery, { params })).delivery
type DeliveryDetails = Awaited<ReturnType<typeof readIt>>

/** A message of the log: what was sent, what was answered, and the result. */
export function Delivery({ params, replay }: Props) {
  const tUi = useTranslations('ui')
  const { read: delivery, retry } = useRead(() => readIt(params), [params.deliveryId])
  return (
    <>
      <DialogBody className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
        {delivery === 'failed' ? <PartFailed retry={retry} /> : null}
        {delivery === null ? <Skeleton className="h-64" /> : null}
        {delivery !== null && delivery !== 'failed' ? <DeliveryFacts delivery={delivery} /> : null}
      </DialogBody>
      <DialogFooter>
        <DialogCancel>{tUi('close')}</DialogCancel>
        {replay ? <ActionButton action={replay} size="M" /> : null}
      </DialogFooter>
    </>
  )
}

function DeliveryFacts({ delivery }: { delivery: DeliveryDetails }) {
  const [t, errorText] = [useTranslations('webhooks'), useErrorText()]
  const { messageId, type, status, fault, httpStatus, duration, attempts, createdAt, nextAt } = delivery
  const sent = status !== 'dropped'
  return (
    <>
      <KeyValues>
        <KeyValue label="webhook-id" action={<CopyButton value={messageId} what="webhook-id" />}>
          <Mono>{messageId}</Mono>
        </KeyValue>
        <KeyValue label={t('type')}>
          <Mono>{type}</Mono>
        </KeyValue>
        <KeyValue label={t('status')}>
          <Pill tone={deliveryTones[status]}>{t(`statuses.${status}`)}</Pill>
          {fault ? <span className="basis-full text-ink-second text-note">{errorText(fault)}</span> : null}
        </KeyValue>
        {sent ? (
          <KeyValue label={t('outcome')}>
            {t('answered', {
              status: httpStatus === null ? t('noAnswer') : `HTTP ${httpStatus}`,
              duration: duration ?? 0,
            })}
          </KeyValue>
        ) : null}
        <KeyValue label={t('attempts')}>{String(attempts)}</KeyValue>
        <KeyValue label={t('created')}>
          <DateTime value={createdAt} form="full" />
        </KeyValue>
        {nextAt ? (
          <KeyValue label={t('next')}>
            <DateTime value={nextAt} form="full" />
          </KeyValue>
        ) : null}
      </KeyValues>
      <MessageText title={t('request')} text={delivery.request} none="" file={`${messageId}-request.json`} />
      <MessageText
        title={t('response')}
        text={delivery.response}
        none={t(httpStatus === null ? 'noAnswer' : 'emptyAnswer')}
        file={`${messageId}-response.txt`}
      />
    </>
  )
}
