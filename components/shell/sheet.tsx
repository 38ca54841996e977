'use client'

import { X } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { cn } from '../ui/cn'

const sides = {
  bottom:
    'mt-auto mb-0 w-full max-w-none rounded-t-[14px] border-t px-4 pt-2 pb-[max(1rem,env(safe-area-inset-bottom))]',
  left: 'my-0 mr-auto ml-0 h-dvh max-h-none w-72 max-w-[85vw] border-r pr-3 pl-[max(0.75rem,env(safe-area-inset-left))] pt-2 pb-[max(1rem,env(safe-area-inset-bottom))]',
}

type Props = {
  side: keyof typeof sides
  /** The content of the button that opens it. */
  trigger: ReactNode
  triggerLabel?: string
  triggerClassName: string
  title: string
  close: string
  children: ReactNode
}

/**
 * Content for which a phone has no room, behind a button. It is a native modal dialog, which keeps the focus inside.
 */
export function Sheet({ side, trigger, triggerLabel, triggerClassName, title, close, children }: Props) {
  const [open, setOpen] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const path = usePathname()
  const before = useRef(path)
  useEffect(() => {
    if (open) dialog.current?.showModal()
  }, [open])
  useEffect(() => {
    if (before.current !== path) dialog.current?.close()
    before.current = path
  }, [path])
  return (
    <>
      <button
        type="button"
        aria-label={triggerLabel}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
        className={triggerClassName}
      >
        {trigger}
      </button>
      {open ? (
        // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes a dialog by itself; this is the click beside it
        <dialog
          ref={dialog}
          aria-label={title}
          onClose={() => setOpen(false)}
          onClick={(event) => event.target === event.currentTarget && dialog.current?.close()}
          className={cn(
            'fixed inset-0 max-h-[85dvh] overflow-y-auto overscroll-contain border-line bg-surface text-ink backdrop:bg-[rgb(0_0_0/0.45)] open:animate-arrive',
            sides[side],
          )}
        >
          <div className="flex items-center justify-between gap-4 py-1">
            <p className="px-2.5 font-semibold">{title}</p>
            <button
              type="button"
              aria-label={close}
              onClick={() => dialog.current?.close()}
              className="flex size-11 cursor-pointer items-center justify-center rounded-control text-ink-second hover:bg-sunken hover:text-ink"
            >
              <X aria-hidden="true" className="size-5" />
            </button>
          </div>
          {children}
        </dialog>
      ) : null}
    </>
  )
}
