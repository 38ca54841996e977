'use client'

import { Plus } from 'lucide-react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { type ComponentType, useEffect, useState } from 'react'
import { Button } from '../ui/button'
import { useKeptFocus } from '../ui/use-kept-focus'
import { useLater } from '../ui/use-later'

/** The answer of the creation. If it has an id, the list shows the new row. */
export type Created = { id?: string }

type Props = {
  /** The label: a verb and what it creates. */
  label: string
  title: string
  text?: string
  size?: 'S' | 'M' | 'L'
  /** A further button of the page: it isn't the main action, and the address doesn't open it. */
  aside?: boolean
  /** Loads the form when it is first used. The form calls `onDone` with the answer after saving. */
  form: () => Promise<ComponentType<{ onDone: (created?: Created) => void }>>
}

/**
 * The button that creates something, with its dialog. The address `?create=1` opens the dialog, and `?created={id}`
 * shows the new row in the list, whatever the sorting.
 */
export function CreateButton({ label, title, text, size, aside = false, form }: Props) {
  const router = useRouter()
  const path = usePathname()
  const search = useSearchParams()
  const [open, setOpen] = useState(false)
  const { Part, ask, wake } = useLater(() => Promise.all([import('./create-dialog'), form()]))
  const [{ CreateDialog }, Form] = Part ?? [{}, null]
  const button = useKeptFocus<HTMLButtonElement>()
  const requested = !aside && search.has('create')
  const createdId = search.get('created')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the address asks
  useEffect(() => {
    // an empty list has a second button of this kind; the first is then hidden (globals.css)
    if (!requested || button.current !== document.querySelector('[data-create]')) return
    setOpen(true)
    ask()
  }, [requested])
  useEffect(() => {
    if (createdId) document.querySelector('[data-created]')?.scrollIntoView({ block: 'nearest' })
  }, [createdId])
  const close = (created?: Created) => {
    setOpen(false)
    if (!requested && (aside || !created?.id)) return
    const next = new URLSearchParams(search)
    next.delete('create')
    if (created?.id && !aside) next.set('created', created.id)
    router.replace(next.size > 0 ? `${path}?${next}` : path, { scroll: false })
  }
  return (
    <>
      <Button
        {...wake}
        ref={button}
        variant={aside ? 'secondary' : undefined}
        data-create={aside ? undefined : ''}
        onClick={(event) => {
          setOpen(true)
          wake.onClick(event)
        }}
      >
        <Plus aria-hidden="true" className="size-4.5" />
        {label}
      </Button>
      {CreateDialog && Form ? (
        <CreateDialog
          open={open}
          onOpenChange={(next) => (next ? setOpen(true) : close())}
          onDone={close}
          title={title}
          text={text}
          size={size}
          form={Form}
        />
      ) : null}
    </>
  )
}
