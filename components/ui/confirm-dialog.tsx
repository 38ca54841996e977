'use client'

import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { Alert } from './alert'
import { AskPanel } from './ask-panel'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The question, which names the object: “Delete the alias «Office»?” */
  title: string
  /** The consequence. */
  text: ReactNode
  /** The label of the button, a verb. */
  confirm: string
  tone?: 'primary' | 'danger'
  /** Performs the action. Returns the text of the failure, or nothing. */
  onConfirm: () => Promise<string | undefined>
}

/** Asks before something is deleted, switched off or ended. It shows a failure inside. */
export function ConfirmDialog({ open, onOpenChange, onConfirm, tone = 'danger', ...texts }: Props) {
  const t = useTranslations('ui')
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const change = (next: boolean) => {
    setFailure(undefined)
    onOpenChange(next)
  }
  const confirm = async () => {
    setPending(true)
    setFailure(undefined)
    const wrong = await onConfirm().catch(() => t('failed'))
    setPending(false)
    if (wrong === undefined) change(false)
    else setFailure(wrong)
  }
  return (
    <AskPanel
      {...texts}
      open={open}
      onOpenChange={change}
      cancel={t('cancel')}
      tone={tone}
      pending={pending}
      onConfirm={confirm}
    >
      {failure ? (
        <Alert tone="danger" role="alert">
          {failure}
        </Alert>
      ) : null}
    </AskPanel>
  )
}
