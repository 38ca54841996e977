'use client'

import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'

type Props = {
  /** The verb and what it makes. */
  label: string
  title: string
  text?: string
  /** The form; calls `done` when it is saved. */
  children: (done: () => void) => ReactNode
}

/** The button that makes something new, with the dialog that asks for it. */
export function CreateButton({ label, title, text, children }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" className="size-4.5" />
        {label}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={title} text={text}>
        {children(() => setOpen(false))}
      </Dialog>
    </>
  )
}
