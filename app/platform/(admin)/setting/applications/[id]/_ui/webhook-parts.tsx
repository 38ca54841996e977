'use client'

import { Plus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ComponentProps, lazy, Suspense } from 'react'
import { ActionButton } from '@/components/form/action-button'
import { SliceMenu } from '@/components/list/slice-parts'
import type { TypeChoice } from '@/lib/applications/webhooks/contract'
import type { WebhookMenu } from './webhook-menu'

// each is loaded when it is first used
const NewWebhook = lazy(() => import('./webhook-form').then((part) => ({ default: part.NewWebhook })))
const menu = () => import('./webhook-menu').then((part) => part.WebhookMenu)

/** The menu of a webhook's row. */
export const WebhookRowMenu = (of: ComponentProps<typeof WebhookMenu>) => <SliceMenu menu={menu} of={of} />

type Props = { applicationId: string; types: readonly TypeChoice[]; access: string }

/** The button that creates a webhook, with its dialog, which then shows the secret. */
export function CreateWebhook(props: Props) {
  const t = useTranslations('webhooks')
  return (
    <ActionButton
      action={{
        kind: 'dialog',
        label: t('create'),
        icon: Plus,
        title: t('createTitle'),
        text: t('createText'),
        body: (done) => (
          <Suspense>
            <NewWebhook {...props} onDone={done} />
          </Suspense>
        ),
      }}
    />
  )
}
