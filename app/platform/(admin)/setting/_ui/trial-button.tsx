'use client'

import { Plug } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useFailureText } from '@/components/form/use-failure-text'
import { Button } from '@/components/ui/button'
import { CallError } from '@/lib/base/http/client'

/** `why` is the text of the error. */
export type Outcome<T> = { ok: T } | { error: CallError; why: string }

type Props<T> = {
  label: string
  /** Makes the attempt. An error is shown too. */
  run: () => Promise<T>
  /** The result, in words. */
  told: (outcome: Outcome<T>) => ReactNode
}

/** A button that tries a connection to another system, and shows the result below. */
export function TrialButton<T>({ label, run, told }: Props<T>) {
  const failureText = useFailureText()
  const [pending, setPending] = useState(false)
  const [outcome, setOutcome] = useState<Outcome<T> | null>(null)
  const check = async () => {
    if (pending) return
    setPending(true)
    setOutcome(null)
    try {
      setOutcome({ ok: await run() })
    } catch (error) {
      const callError = error instanceof CallError ? error : new CallError(0, 'techError', {}, undefined, undefined)
      setOutcome({ error: callError, why: await failureText(callError) })
    } finally {
      setPending(false)
    }
  }
  return (
    <div className="grid w-full min-w-0 grid-cols-[minmax(0,1fr)] justify-items-start gap-3">
      <Button variant="secondary" size="S" pending={pending} onClick={() => void check()}>
        <Plug aria-hidden="true" className="size-4" />
        {label}
      </Button>
      <div role="status" className="@container w-full min-w-0 empty:hidden">
        {outcome ? told(outcome) : null}
      </div>
    </div>
  )
}
