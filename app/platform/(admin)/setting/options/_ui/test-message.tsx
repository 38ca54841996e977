'use client'

import { useTranslations } from 'next-intl'
import { type FormEvent, useId, useState } from 'react'
import { inputClasses } from '@/components/form/input-classes'
import { useWriter } from '@/components/form/use-write'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import type { sendTestMail, sendTestSms } from '@/lib/messaging/test-messages/contract'

type Kind = 'mail' | 'sms'
type TestResult = { failed: boolean; text: string }

const callOf = (kind: Kind) =>
  ({
    name: kind === 'mail' ? 'sendTestMail' : 'sendTestSms',
    snackbar: kind === 'mail' ? 'testMail' : 'testSms',
    method: 'POST',
    path: `/setting/application/settings/test-${kind}`,
  }) as unknown as typeof sendTestMail & typeof sendTestSms

/** Sends a test mail or a test SMS, and shows what the server answered. */
export function TestMessage({ kind }: { kind: Kind }) {
  const t = useTranslations('settings')
  const id = useId()
  const { write, pending, reason } = useWriter()
  const [recipient, setRecipient] = useState('')
  const [testResult, setTestResult] = useState<TestResult | null>(null)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    setTestResult(null)
    const body = kind === 'mail' ? { email: recipient } : { mobile: recipient }
    const outcome = await write(callOf(kind), { body } as never, { failure: 'form', quiet: true })
    if (!outcome) return
    if (!outcome.ok) return setTestResult({ failed: true, text: reason(outcome.error) })
    const { outcome: result, reason: serverReason } = outcome.output
    setTestResult({ failed: result === 'failed', text: t(`test.${result}`, { reason: serverReason ?? '' }) })
  }
  return (
    <form
      noValidate
      onSubmit={send}
      className="grid gap-x-6 gap-y-2.5 border-line border-t px-4 py-3.5 sm:px-5 @min-[36rem]:grid-cols-[1fr_auto] @min-[36rem]:items-center"
    >
      <div className="grid min-w-0 gap-0.5">
        <label htmlFor={id} className="justify-self-start font-medium text-table">
          {t(`test.${kind}Title`)}
        </label>
        <p id={`${id}-note`} className="text-ink-second text-note">
          {t(`test.${kind}Text`)}
        </p>
        <p
          id={`${id}-told`}
          role="status"
          className={cn('break-words text-note', testResult?.failed ? 'text-danger' : 'text-ok')}
        >
          {testResult?.text}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <input
          id={id}
          type={kind === 'mail' ? 'email' : 'tel'}
          autoComplete={kind === 'mail' ? 'email' : 'tel'}
          aria-describedby={testResult?.failed ? `${id}-told ${id}-note` : `${id}-note`}
          aria-invalid={testResult?.failed || undefined}
          placeholder={t(kind === 'mail' ? 'email' : 'test.mobile')}
          maxLength={320}
          value={recipient}
          onChange={(event) => setRecipient(event.target.value)}
          className={cn(inputClasses, 'h-10 w-auto min-w-0 grow pointer-coarse:h-11 @min-[36rem]:w-60')}
        />
        <Button type="submit" variant="secondary" pending={pending}>
          {t('test.send')}
        </Button>
      </div>
    </form>
  )
}
