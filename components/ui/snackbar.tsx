'use client'

import type { ComponentType } from 'react'
import { useSyncExternalStore } from 'react'

type Tone = 'ok' | 'error'
type Labels = { label: string; close: string }

/** sonner comes with the first notice: pages that have nothing to say don't carry it. */
let Surface: ComponentType<Labels> | null = null
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

async function show(tone: Tone, text: string) {
  const { notify, SnackbarSurface } = await import('./snackbar-surface')
  Surface = SnackbarSurface
  for (const listener of listeners) listener()
  notify(tone, text)
}

/** Notices of how an action went. One that went well leaves by itself; an error stays until it is closed. */
export const snackbar = {
  ok: (text: string) => show('ok', text),
  error: (text: string) => show('error', text),
}

/** Where notices appear; stands once, in the root layout. */
export function Snackbar(labels: Labels) {
  const Loaded = useSyncExternalStore(
    subscribe,
    () => Surface,
    () => null,
  )
  return Loaded ? <Loaded {...labels} /> : null
}
