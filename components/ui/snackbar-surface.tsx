'use client'

import { useEffect } from 'react'
import { Toaster, toast } from 'sonner'
import { CircleAlert, CircleCheck } from './icons'

const timeout = 2000

function present(tone: 'ok' | 'error', text: string) {
  if (tone === 'ok') {
    toast.success(text, { id: text, duration: timeout })
    return
  }
  toast.error(text, { id: text, duration: Number.POSITIVE_INFINITY, closeButton: true })
  document.getElementById('main')?.scrollIntoView({ block: 'start' })
}

/** Notices from before the list of notices stands in the page; sonner itself would drop them. */
let early: Parameters<typeof present>[] | null = []

/** Shows a notice. An error also brings the top of the page into view, below the header (portal.md section 4). */
export function notify(...notice: Parameters<typeof present>) {
  if (early) early.push(notice)
  else present(...notice)
}

/** sonner's list of notices in our look. It announces politely and holds its timers under the pointer. */
export function SnackbarSurface({ label, close }: { label: string; close: string }) {
  useEffect(() => {
    // screen readers announce what is added to a live region only once they know the region
    const timer = setTimeout(() => {
      for (const notice of early ?? []) present(...notice)
      early = null
    }, 150)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Toaster
      position="bottom-center"
      containerAriaLabel={label}
      icons={{
        success: <CircleCheck className="size-5 text-ok" />,
        error: <CircleAlert className="size-5 text-danger" />,
      }}
      toastOptions={{
        unstyled: true,
        closeButtonAriaLabel: close,
        classNames: {
          toast:
            'flex w-full items-center gap-3 rounded-card border border-line bg-surface px-4 py-3 text-table text-ink shadow-float',
          content: 'grow',
          closeButton:
            'order-last flex size-8 shrink-0 cursor-pointer items-center justify-center rounded-control text-ink-second hover:bg-sunken hover:text-ink',
        },
      }}
    />
  )
}
