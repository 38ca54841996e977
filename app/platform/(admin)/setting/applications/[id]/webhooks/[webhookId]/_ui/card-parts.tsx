'use client'

import { useRouter } from 'next/navigation'
import type { ComponentProps, ReactNode } from 'react'
import { CardActions } from '@/components/card/card-actions'
import { EditableGroup } from '@/components/card/editable-group'
import { ActionButton } from '@/components/form/action-button'
import { SecretField } from '@/components/form/secret-field'
import { SliceMenu } from '@/components/list/slice-parts'
import type { TypeChoice, Webhook } from '@/lib/applications/webhooks/contract'
import { useWebhookActions } from '../../../_ui/use-webhook-actions'
import type { DeliveryMenu } from './delivery-menu'

type WebhookProps = { webhook: Webhook; applicationId: string }

/** The actions on a webhook. `list` is the address to open after its deletion. */
export function WebhookActions({ webhook, applicationId, list }: WebhookProps & { list: string }) {
  const router = useRouter()
  const { test, replay, toggle, remove } = useWebhookActions(webhook, applicationId, () => router.replace(list))
  // enabling comes first for a disabled webhook
  const actions = webhook.enabled ? [test, replay, toggle, remove] : [toggle, test, replay, remove]
  return <CardActions name={webhook.name} actions={actions} />
}

type GroupProps = WebhookProps & {
  types: readonly TypeChoice[]
  access: string
  title: string
  mayEdit: boolean
  children: ReactNode
}

/** The address and the events of a webhook, edited in place. */
export function WebhookGroup({ title, mayEdit, children, ...of }: GroupProps) {
  const form = () => import('../../../_ui/webhook-form').then((part) => part.WebhookForm)
  return (
    <EditableGroup title={title} form={form} of={of} mayEdit={mayEdit}>
      {children}
    </EditableGroup>
  )
}

/** The buttons that create a new secret and end the previous one. */
export function SecretActions({ webhook, applicationId }: WebhookProps) {
  const { rotate, endPrevious } = useWebhookActions(webhook, applicationId)
  return (
    <div className="flex flex-wrap gap-2">
      <ActionButton action={rotate} />
      {webhook.secrets.length > 1 ? <ActionButton action={endPrevious} /> : null}
    </div>
  )
}

/** A secret that nobody can read any more. */
export function WebhookSecret({ what, tail }: { what: string; tail: string }) {
  return <SecretField key={tail} what={what} tail={tail} />
}

const menu = () => import('./delivery-menu').then((part) => part.DeliveryMenu)

/** The menu of a message's row. */
export const DeliveryRowMenu = (of: ComponentProps<typeof DeliveryMenu>) => <SliceMenu menu={menu} of={of} />
