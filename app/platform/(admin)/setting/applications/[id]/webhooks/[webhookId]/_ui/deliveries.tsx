import { getFormatter, getTranslations } from 'next-intl/server'
import { Noted } from '@/components/list/columns'
import { ListTable } from '@/components/list/list-table'
import { DateTime } from '@/components/ui/date-time'
import { Pill } from '@/components/ui/pill'
import {
  deliveryStatuses,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryInput,
} from '@/lib/applications/webhooks/contract'
import { listWebhookDeliveries } from '@/lib/applications/webhooks/service'
import { testType, webhookTypes } from '@/lib/applications/webhooks/types'
import type { Ctx } from '@/lib/base/context/ctx'
import { errorWords } from '@/lib/base/i18n/error-words'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { readList } from '@/lib/request/list-page'
import { deliveryTones, typeWords } from '../../../_ui/webhook-words'
import { DeliveryRowMenu } from './card-parts'

type Props = {
  ctx: Ctx
  applicationId: string
  webhook: Webhook
  mayWrite: boolean
  query: WebhookDeliveryInput
  address: ListAddress
}

/** The delivery log of a webhook: the newest message first. */
export async function Deliveries({ ctx, applicationId, webhook, mayWrite, query, address }: Props) {
  const params = { id: applicationId, webhookId: webhook.id }
  const [t, words, format, { deliveries, meta }] = await Promise.all([
    getTranslations('webhooks'),
    errorWords(ctx.locale, 'webhooks'),
    getFormatter(),
    readList(address, (place) => listWebhookDeliveries(ctx, { params, query: { ...query, ...place } })),
  ])
  const typeOf = typeWords(t)
  const nameOf = ({ type, createdAt }: WebhookDelivery) =>
    `${typeOf(type)}, ${format.dateTime(new Date(createdAt), { dateStyle: 'long', timeStyle: 'medium' })}`
  return (
    <ListTable
      address={address}
      query={query}
      meta={meta}
      cursor
      rows={deliveries}
      caption={t('logCaption')}
      filters={[
        {
          kind: 'many',
          name: 'status',
          label: t('status'),
          options: deliveryStatuses.map((value) => ({ value, label: t(`statuses.${value}`) })),
        },
        {
          kind: 'many',
          name: 'type',
          label: t('type'),
          options: [...webhookTypes, testType].map((value) => ({ value, label: typeOf(value) })),
        },
        { kind: 'dates', name: 'created', label: t('created'), from: 'createdFrom', to: 'createdTo' },
      ]}
      empty={{ title: t('logEmptyTitle'), text: t('logEmptyText') }}
      columns={[
        {
          title: true,
          label: t('type'),
          cell: ({ type }) => (
            <span className="grid">
              {typeOf(type)}
              <span className="wrap-anywhere font-mono font-normal text-ink-second text-note">{type}</span>
            </span>
          ),
        },
        {
          label: t('status'),
          whole: true,
          cell: ({ status, fault, nextAt }) => (
            <span className="grid justify-items-start gap-0.5">
              <Pill tone={deliveryTones[status]}>{t(`statuses.${status}`)}</Pill>
              {fault ? <span className="text-ink-second text-note">{words(fault, {})}</span> : null}
              {nextAt ? (
                <span className="text-ink-second text-note">
                  {t('next')}: <DateTime value={nextAt} />
                </span>
              ) : null}
            </span>
          ),
        },
        {
          label: t('outcome'),
          priority: 2,
          cell: ({ httpStatus, duration }) => (
            <Noted note={duration === null ? '' : t('milliseconds', { value: duration })}>
              {httpStatus === null ? '—' : `HTTP ${httpStatus}`}
            </Noted>
          ),
        },
        { label: t('attempts'), align: 'right', priority: 3, cell: ({ attempts }) => String(attempts) },
        {
          by: 'createdAt',
          first: 'desc',
          label: t('created'),
          cell: ({ createdAt }) => <DateTime value={createdAt} />,
        },
      ]}
      menu={(delivery) => (
        <DeliveryRowMenu
          delivery={{
            id: delivery.id,
            type: delivery.type,
            replayable: delivery.replayable,
            status: delivery.status,
          }}
          name={nameOf(delivery)}
          params={params}
          enabled={webhook.enabled}
          mayWrite={mayWrite}
        />
      )}
    />
  )
}
