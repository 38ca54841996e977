'use client'

import { RowActions } from '@/components/form/row-actions'
import type { Webhook } from '@/lib/applications/webhooks/contract'
import { useWebhookActions } from './use-webhook-actions'

type Props = { webhook: Webhook; name: string; applicationId: string; href: string; mayWrite: boolean }

/** The actions for a webhook of the list. */
export function WebhookMenu({ webhook, name, applicationId, href, mayWrite }: Props) {
  const { test, replay, toggle, remove } = useWebhookActions(webhook, applicationId)
  const card = { kind: 'card', href } as const
  return <RowActions row={name} actions={mayWrite ? [card, test, replay, toggle, remove] : [card]} />
}
