'use client'

import { Plus } from 'lucide-react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { useKeptFocus } from '../ui/use-kept-focus'

/** What creating returned: with an id, the list shows the new row. */
export type Created = { id?: string }

type Props = {
  /** The verb and what it makes. */
  label: string
  title: string
  text?: string
  /** The form; calls `done` with the answer when it is saved. */
  children: (done: (created?: Created) => void) => ReactNode
}

/**
 * The button that makes something new, with the dialog that asks for it. The address `?create=1` opens it, and
 * `?created={id}` shows the new row in the list, wherever it sorts.
 */
export function CreateButton({ label, title, text, children }: Props) {
  const router = useRouter()
  const path = usePathname()
  const search = useSearchParams()
  const [open, setOpen] = useState(false)
  const button = useKeptFocus<HTMLButtonElement>()
  const asked = search.has('create')
  const made = search.get('created')
  useEffect(() => {
    // an empty list has a second such button
    if (asked && button.current === document.querySelector('[data-create]')) setOpen(true)
  }, [asked, button])
  useEffect(() => {
    if (made) document.querySelector('[data-created]')?.scrollIntoView({ block: 'nearest' })
  }, [made])
  const close = (created?: Created) => {
    setOpen(false)
    if (!asked && !created?.id) return
    const next = new URLSearchParams(search)
    next.delete('create')
    if (created?.id) next.set('created', created.id)
    router.replace(next.size > 0 ? `${path}?${next}` : path, { scroll: false })
  }
  return (
    <>
      <Button ref={button} data-create="" onClick={() => setOpen(true)}>
        <Plus aria-hidden="true" className="size-4.5" />
        {label}
      </Button>
      <Dialog open={open} onOpenChange={(next) => (next ? setOpen(true) : close())} title={title} text={text}>
        {children(close)}
      </Dialog>
    </>
  )
}
