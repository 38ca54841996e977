'use client'

import type { ComponentType } from 'react'
import { Dialog } from '../ui/dialog'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  text?: string | undefined
  form: ComponentType<{ onDone: () => void }>
}

/** The dialog that asks for what is made. */
export function CreateDialog({ form: Form, onOpenChange, ...dialog }: Props) {
  return (
    <Dialog {...dialog} onOpenChange={onOpenChange}>
      <Form onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}
