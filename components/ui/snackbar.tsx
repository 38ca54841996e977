'use client'

import type { ComponentType } from 'react'
import { useSyncExternalStore } from 'react'

/** A snackbar with the result of an action, as text (docs/rules/texts-and-look.md#notices). */
export type Notice = {
  type: 'ok' | 'error' | 'warning' | 'info'
  text: string
  title?: string
  /** Milliseconds, by default 2000. By default an error stays until the person closes it. */
  timeout?: number
  /** Whether the person can close it; errors can always be closed. */
  shouldClose?: boolean
  link?: { href: string; text: string }
  /** By default S; M has room for a longer text. */
  size?: 'S' | 'M'
}
type Labels = { label: string; close: string }

/** sonner is loaded with the first snackbar, so pages without snackbars don't load it. */
let Surface: ComponentType<Labels> | null = null
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Shows a snackbar. */
export async function showNotice(notice: Notice): Promise<void> {
  const { notify, SnackbarSurface } = await import('./snackbar-surface')
  Surface = SnackbarSurface
  for (const listener of listeners) listener()
  notify(notice)
}

/** Shows snackbars of one text. A success disappears by itself; an error stays until the person closes it. */
export const snackbar = {
  ok: (text: string) => showNotice({ type: 'ok', text }),
  error: (text: string) => showNotice({ type: 'error', text }),
}

/** The place where snackbars appear; the root layout has the only one. */
export function Snackbar(labels: Labels) {
  const Loaded = useSyncExternalStore(
    subscribe,
    () => Surface,
    () => null,
  )
  return Loaded ? <Loaded {...labels} /> : null
}
