'use client'

import type { ComponentType } from 'react'
import { Dialog } from '../ui/dialog'
import type { Created } from './create-button'

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  text?: string | undefined
  size?: 'S' | 'M' | 'L' | undefined
  form: ComponentType<{ onDone: (created?: Created) => void }>
  onDone: (created?: Created) => void
}

/** The dialog with the form that creates something. */
export function CreateDialog({ form: Form, onDone, ...dialog }: Props) {
  return (
    <Dialog {...dialog}>
      <Form onDone={onDone} />
    </Dialog>
  )
}
