'use client'

import { useEffect, useEffectEvent, useRef } from 'react'
import type { FlowId } from '@/lib/sign-in/attempts/contract'

export type Step = 'id' | FlowId | 'terms'
/** `above`: the previous entry is the id step, so going back opens it. */
type Entry = { step: Step; above: boolean }

// keep Next's own state in the entry, or Next would reload the page when the person goes back
const write = (method: 'pushState' | 'replaceState', entry: Entry) =>
  window.history[method]({ ...window.history.state, signInStep: entry }, '')
const read = (state: unknown) => (state as { signInStep?: Entry } | null)?.signInStep

/**
 * Makes the browser's Back and Forward move between the steps, which all have one address. `onTravel` gets the step
 * that the person reached; `first` is the step with which the page opened.
 */
export function useStepHistory(first: Step, onTravel: (step: Step) => void) {
  const travelled = useEffectEvent(onTravel)
  /** Set when our own code went back: the page shows that step already. */
  const ownDoing = useRef(false)
  useEffect(() => {
    write('replaceState', { step: first, above: read(window.history.state)?.above ?? false })
    const listen = ({ state }: PopStateEvent) => {
      if (ownDoing.current) {
        ownDoing.current = false
        return
      }
      const entry = read(state)
      if (entry) travelled(entry.step)
    }
    window.addEventListener('popstate', listen)
    return () => window.removeEventListener('popstate', listen)
  }, [first])
  return {
    /**
     * Opens a step: a new entry after the id step; otherwise it replaces the entry, so that Back still opens the id
     * step.
     */
    enter: (step: Exclude<Step, 'id'>) => {
      const entry = read(window.history.state)
      if (entry && entry.step !== 'id') write('replaceState', { step, above: entry.above })
      else write('pushState', { step, above: true })
    },
    /** Opens the id step: goes back if it is the previous entry, otherwise adds a new one. */
    toId: () => {
      if (read(window.history.state)?.above) {
        ownDoing.current = true
        window.history.back()
      } else write('pushState', { step: 'id', above: false })
    },
  }
}
