'use client'

import { useEffect } from 'react'
import { Toaster, toast } from 'sonner'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from './icons'
import type { Notice } from './snackbar'

/** Milliseconds that a snackbar stays (docs/rules/texts-and-look.md#notices). */
const defaultTimeout = 2000

const looks = {
  ok: { Icon: CircleCheck, color: 'text-ok' },
  error: { Icon: CircleAlert, color: 'text-danger' },
  warning: { Icon: TriangleAlert, color: 'text-warning' },
  info: { Icon: Info, color: 'text-info' },
}

/** The id of the last snackbar with each text. */
const lastIdByText = new Map<string, string | number>()

function present({ type, text, title, timeout, shouldClose, link, size = 'S' }: Notice) {
  const { Icon, color } = looks[type]
  const stays = type === 'error' && timeout === undefined
  const key = `${type} ${title ?? ''} ${text}`
  // a repeated snackbar replaces the visible one and stays its whole time
  const before = lastIdByText.get(key)
  if (before !== undefined) toast.dismiss(before)
  const id = toast(title ?? text, {
    duration: stays ? Number.POSITIVE_INFINITY : (timeout ?? defaultTimeout),
    closeButton: shouldClose ?? type === 'error',
    icon: <Icon className={`size-5 ${color}`} />,
    className: size === 'M' ? 'items-start!' : undefined,
    description: title ? text : undefined,
    action: link ? (
      <a href={link.href} className="shrink-0 text-brand underline underline-offset-4">
        {link.text}
      </a>
    ) : undefined,
  })
  lastIdByText.set(key, id)
  // the page's scroll padding is the header's height and 20 px (docs/rules/texts-and-look.md#notices); a dialog has no
  // page to scroll
  if (type === 'error' && !document.querySelector('[role=dialog], [role=alertdialog]'))
    document.getElementById('main')?.scrollIntoView({ block: 'start' })
}

/** Snackbars that were shown before sonner's list was mounted; sonner would drop them. */
let early: Notice[] | null = []

/** Shows a snackbar. An error also scrolls the top of the page into view, below the header. */
export function notify(notice: Notice) {
  if (early) early.push(notice)
  else present(notice)
}

/** sonner's list of snackbars in our look. Screen readers read snackbars politely; hovering pauses their timers. */
export function SnackbarSurface({ label, close }: { label: string; close: string }) {
  useEffect(() => {
    // screen readers read what is added to a live region only if the region existed before
    const timer = setTimeout(() => {
      for (const notice of early ?? []) present(notice)
      early = null
    }, 150)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Toaster
      position="bottom-center"
      containerAriaLabel={label}
      className="notices pointer-events-auto"
      toastOptions={{
        unstyled: true,
        closeButtonAriaLabel: close,
        classNames: {
          toast:
            'flex w-full items-center gap-3 rounded-card border border-line bg-surface px-4 py-3 text-table text-ink shadow-float',
          content: 'grow min-w-0 grid gap-0.5 break-words',
          title: 'font-medium',
          description: 'text-ink-second',
          closeButton:
            'order-last flex size-8 shrink-0 cursor-pointer items-center justify-center rounded-control text-ink-second hover:bg-sunken hover:text-ink pointer-coarse:size-11',
        },
      }}
    />
  )
}
