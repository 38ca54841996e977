'use client'

import * as Radix from '@radix-ui/react-alert-dialog'
import type { ReactNode } from 'react'
import { Button } from './button'
import { useReturnFocus } from './use-return-focus'

export type AskProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  text: ReactNode
  cancel: string
  confirm: string
  onConfirm: () => void
  tone?: 'primary' | 'danger'
  pending?: boolean
  children?: ReactNode
}

/** A question that must be answered first. The safe answer has the focus. A page uses AskDialog, which loads it. */
export function AskPanel({
  open,
  onOpenChange,
  title,
  text,
  cancel,
  confirm,
  onConfirm,
  tone = 'danger',
  pending = false,
  children,
}: AskProps) {
  const { remember, giveBack } = useReturnFocus()
  return (
    <Radix.Root open={open} onOpenChange={(next) => (pending ? undefined : onOpenChange(next))}>
      <Radix.Portal>
        <Radix.Overlay className="dialog-overlay z-60">
          <Radix.Content
            onOpenAutoFocus={remember}
            onCloseAutoFocus={giveBack}
            // for some frames the dialog below would still handle Escape
            onKeyDown={({ key }) => {
              if (key === 'Escape' && !pending) onOpenChange(false)
            }}
            className="dialog-panel sm:max-w-[27rem] gap-5 p-5 max-sm:pb-[max(1.25rem,env(safe-area-inset-bottom))] sm:p-6"
          >
            <div className="grid gap-2">
              <Radix.Title className="text-section">{title}</Radix.Title>
              <Radix.Description asChild>
                <div className="grid gap-2 text-ink-second">{text}</div>
              </Radix.Description>
            </div>
            {children}
            <div className="flex flex-wrap justify-end gap-2 max-sm:*:grow">
              <Radix.Cancel asChild>
                <Button variant="secondary">{cancel}</Button>
              </Radix.Cancel>
              <Button variant={tone} pending={pending} onClick={onConfirm}>
                {confirm}
              </Button>
            </div>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}
