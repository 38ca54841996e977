'use client'

import { Send } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { DialogForm } from '@/components/form/dialog-form'
import { fieldsOf } from '@/components/form/field-name'
import { FormMoment } from '@/components/form/form-moment'
import { useContractForm } from '@/components/form/use-contract-form'
import { useErrorText } from '@/components/form/use-error-text'
import { useWriter } from '@/components/form/use-write'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { DialogBody, DialogCancel, DialogFooter } from '@/components/ui/dialog'
import { replayDays, replayWebhook, testWebhook } from '@/lib/applications/webhooks/contract'
import type { CallOutput } from '@/lib/base/contracts/contract'
import { MessageText } from './message-text'

type Params = { id: string; webhookId: string }
type Outcome = { sent: CallOutput<typeof testWebhook> } | { refusal: string }

/** Sends a test message, and shows what the receiver answered. */
export function TestWebhook({ params }: { params: Params }) {
  const [t, tUi, errorText] = [useTranslations('webhooks'), useTranslations('ui'), useErrorText()]
  const { write, pending, reason } = useWriter()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const test = async () => {
    setOutcome(null)
    const done = await write(testWebhook, { params }, { failure: 'inside', quiet: true })
    if (done) setOutcome(done.ok ? { sent: done.output } : { refusal: reason(done.error) })
  }
  const resultText = () => {
    if (!outcome) return null
    if ('refusal' in outcome) return <Alert tone="danger">{outcome.refusal}</Alert>
    const { httpStatus, duration, fault, response } = outcome.sent
    const facts = t('answered', {
      status: httpStatus === null ? t('noAnswer') : `HTTP ${httpStatus}`,
      duration: duration ?? 0,
    })
    return (
      <>
        <Alert tone={fault ? 'danger' : 'ok'} title={fault ? errorText(fault) : t('testArrived')}>
          <p>{facts}</p>
        </Alert>
        {httpStatus === null ? null : <MessageText title={t('response')} text={response} none={t('emptyAnswer')} />}
      </>
    )
  }
  return (
    <>
      <DialogBody className="grid grid-cols-[minmax(0,1fr)] content-start justify-items-start gap-4">
        <Button pending={pending} onClick={() => void test()}>
          <Send aria-hidden="true" className="size-4" />
          {t(outcome ? 'testAgain' : 'testVerb')}
        </Button>
        <div role="status" className="grid w-full min-w-0 grid-cols-[minmax(0,1fr)] gap-4 empty:hidden">
          {resultText()}
        </div>
      </DialogBody>
      <DialogFooter>
        <DialogCancel>{tUi('close')}</DialogCancel>
      </DialogFooter>
    </>
  )
}

type Replaying = {
  params: Params
  /** Since when nothing has arrived, if that is the case. */
  since: string | null
  onDone: () => void
}

const day = 86_400_000

/** Sends the events of a period once more, by default those of the last day. */
export function ReplaySpan({ params, since, onDone }: Replaying) {
  const [t, tUi] = [useTranslations('webhooks'), useTranslations('ui')]
  const [events, setEvents] = useState<number | null>(null)
  const [span] = useState(() => ({
    from: since ?? new Date(Date.now() - day).toISOString(),
    to: new Date().toISOString(),
  }))
  const form = useContractForm<typeof replayWebhook>(replayWebhook, {
    parts: { params },
    defaultValues: span,
    quiet: true,
    onDone: (answer) => setEvents(answer.events),
  })
  const field = fieldsOf(form)
  if (events !== null)
    return (
      <>
        <DialogBody>
          <div role="status">
            <Alert tone={events > 0 ? 'ok' : 'info'}>{t('replayed', { count: events })}</Alert>
          </div>
        </DialogBody>
        <DialogFooter>
          <Button onClick={onDone}>{tUi('done')}</Button>
        </DialogFooter>
      </>
    )
  return (
    <DialogForm form={form} verb={t('replayVerb')}>
      <FormMoment name={field('from')} label={t('from')} hint={t('fromHint', { days: replayDays })} />
      <FormMoment name={field('to')} label={t('to')} />
    </DialogForm>
  )
}
