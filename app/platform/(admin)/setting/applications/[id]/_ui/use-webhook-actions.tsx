'use client'

import { Power, PowerOff, RefreshCw, RotateCcw, Send, Trash2, Unplug } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { lazy, Suspense } from 'react'
import { type Action, sends } from '@/components/form/actions'
import { useErrorText } from '@/components/form/use-error-text'
import type { Webhook } from '@/lib/applications/webhooks/contract'

const calls = () => import('@/lib/applications/webhooks/contract')

// each is loaded when its dialog opens
const TestWebhook = lazy(() => import('./webhook-dialogs').then((part) => ({ default: part.TestWebhook })))
const ReplaySpan = lazy(() => import('./webhook-dialogs').then((part) => ({ default: part.ReplaySpan })))
const RotateSecret = lazy(() => import('./webhook-form').then((part) => ({ default: part.RotateWebhookSecret })))

type Name = 'test' | 'replay' | 'rotate' | 'endPrevious' | 'toggle' | 'remove'

/** The actions on a webhook, in its row and on its card. `onGone` runs after its deletion. */
export function useWebhookActions(webhook: Webhook, applicationId: string, onGone?: () => void): Record<Name, Action> {
  const t = useTranslations('webhooks')
  const [tUi, errorText] = [useTranslations('ui'), useErrorText()]
  const { name, enabled, disabledReason, updatedAt, failingSince } = webhook
  const params = { id: applicationId, webhookId: webhook.id }
  return {
    test: {
      kind: 'dialog',
      label: t('test'),
      icon: Send,
      title: t('testTitle', { name }),
      text: t('testText'),
      body: () => (
        <Suspense>
          <TestWebhook params={params} />
        </Suspense>
      ),
    },
    replay: {
      kind: 'dialog',
      label: t('replaySpan'),
      icon: RotateCcw,
      ...(enabled ? {} : { unavailable: errorText('webhookDisabled') }),
      title: t('replaySpanTitle', { name }),
      text: t('replaySpanText'),
      body: (done) => (
        <Suspense>
          <ReplaySpan params={params} since={failingSince} onDone={done} />
        </Suspense>
      ),
    },
    rotate: {
      kind: 'dialog',
      label: t('rotate'),
      icon: RefreshCw,
      size: 'S',
      title: t('rotateTitle', { name }),
      text: t('rotateText'),
      body: (done) => (
        <Suspense>
          <RotateSecret params={params} updatedAt={updatedAt} onDone={done} />
        </Suspense>
      ),
    },
    endPrevious: {
      kind: 'confirm',
      label: t('endPrevious'),
      icon: Unplug,
      tone: 'danger',
      ask: { title: t('endPreviousTitle', { name }), text: t('endPreviousText'), tone: 'danger' },
      verb: t('endPreviousVerb'),
      sends: sends(() => calls().then((contracts) => contracts.endPreviousWebhookSecret), { params }),
    },
    toggle: {
      kind: 'confirm',
      label: tUi(enabled ? 'disable' : 'enable'),
      icon: enabled ? PowerOff : Power,
      ...(enabled ? { tone: 'danger' as const } : {}),
      ask: enabled
        ? { title: t('offTitle', { name }), text: t('offText'), tone: 'danger' }
        : { title: t('onTitle', { name }), text: t(disabledReason ? 'onTextStopped' : 'onText'), tone: 'primary' },
      sends: sends(
        () => calls().then((contracts) => contracts.enableWebhook),
        { params, body: { enabled: !enabled, updatedAt } },
        { params: { enabled: String(!enabled) } },
      ),
    },
    remove: {
      kind: 'confirm',
      label: tUi('delete'),
      icon: Trash2,
      tone: 'danger',
      ask: { title: t('deleteTitle', { name }), text: t('deleteText'), tone: 'danger' },
      sends: sends(
        () => calls().then((contracts) => contracts.deleteWebhook),
        { params },
        { onDone: () => onGone?.() },
      ),
    },
  }
}
