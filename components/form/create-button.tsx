'use client'

import { Plus } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { Button } from '../ui/button'
import { useLater } from '../ui/use-later'

type Props = {
  /** The verb and what it makes. */
  label: string
  title: string
  text?: string
  /** Loads the form, with the first use; it calls `onDone` when it is saved. */
  form: () => Promise<ComponentType<{ onDone: () => void }>>
}

/** The button that makes something new, with the dialog that asks for it. */
export function CreateButton({ label, title, text, form }: Props) {
  const [open, setOpen] = useState(false)
  const { Part, wake } = useLater(() => Promise.all([import('./create-dialog'), form()]))
  const [{ CreateDialog }, Form] = Part ?? [{}, null]
  return (
    <>
      <Button
        {...wake}
        onClick={(event) => {
          setOpen(true)
          wake.onClick(event)
        }}
      >
        <Plus aria-hidden="true" className="size-4.5" />
        {label}
      </Button>
      {CreateDialog && Form ? (
        <CreateDialog open={open} onOpenChange={setOpen} title={title} text={text} form={Form} />
      ) : null}
    </>
  )
}
