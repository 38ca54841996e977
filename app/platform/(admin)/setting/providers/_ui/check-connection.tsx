'use client'

import { Plug } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useErrorText } from '@/components/form/use-error-text'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Mono } from '@/components/ui/mono'
import { CallError, call } from '@/lib/kernel/http/client'
import type { CallInput, CallOutput } from '@/lib/kernel/http/contract'
import type { checkProvider } from '@/lib/people/providers/contract'

type Body = CallInput<typeof checkProvider>['body']
type Outcome = { ok: CallOutput<typeof checkProvider>; openid: boolean } | { error: CallError }

/** Tries a connection, and says what came of it: how many people there are, or what is wrong and what to do. */
export function CheckConnection({ body }: { body: () => Body }) {
  const t = useTranslations('providers')
  const errorText = useErrorText()
  const [pending, setPending] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const check = async () => {
    if (pending) return
    setPending(true)
    setOutcome(null)
    try {
      const { checkProvider: contract } = await import('@/lib/people/providers/contract')
      const asked = body()
      setOutcome({ ok: await call(contract, { body: asked }), openid: asked.type === 'oidc' })
    } catch (error) {
      const known = error instanceof CallError ? error : new CallError(0, 'techError', {}, undefined, undefined)
      setOutcome({ error: known })
    } finally {
      setPending(false)
    }
  }
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] justify-items-start gap-3">
      <Button variant="secondary" size="S" pending={pending} onClick={() => void check()}>
        <Plug aria-hidden="true" className="size-4" />
        {t('check')}
      </Button>
      <div role="status" className="w-full min-w-0 empty:hidden">
        {outcome ? <Told outcome={outcome} errorText={errorText} /> : null}
      </div>
    </div>
  )
}

function Told({ outcome, errorText }: { outcome: Outcome; errorText: ReturnType<typeof useErrorText> }) {
  const t = useTranslations('providers')
  if ('ok' in outcome) {
    const { people } = outcome.ok
    if (outcome.openid) return <Alert tone="ok">{t('checkOkOpenid')}</Alert>
    return <Alert tone="ok">{people === null ? t('checkOk') : t('checkOkPeople', { people })}</Alert>
  }
  const { error } = outcome
  const [fault] = error.errorList
  const rights = error.data.providerError?.requiredRights ?? []
  return (
    <Alert tone="danger">
      <p>{fault ? errorText(fault.code, fault.params) : errorText(error.code)}</p>
      {rights.length > 0 ? (
        <p className="mt-1 flex flex-wrap items-center gap-1.5">
          {t('requiredRights')}
          {rights.map((right) => (
            <Mono key={right}>{right}</Mono>
          ))}
        </p>
      ) : null}
    </Alert>
  )
}
