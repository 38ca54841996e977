'use client'

import { useEffect, useEffectEvent, useRef } from 'react'
import type { FlowId } from '@/lib/entry/sign-in/contract'

export type Step = 'id' | FlowId | 'terms'
/** `above`: the entry below this one is the id step, so that going back leads there. */
type Entry = { step: Step; above: boolean }

// what Next keeps in the entry stays, or it would reload the page on the way back
const write = (how: 'pushState' | 'replaceState', entry: Entry) =>
  window.history[how]({ ...window.history.state, signInStep: entry }, '')
const read = (state: unknown) => (state as { signInStep?: Entry } | null)?.signInStep

/**
 * Makes the browser's Back and Forward walk the steps, which all live at one address.
 * `onTravel` hears of the step that the person came to; `first` is what the page opened with.
 */
export function useStepHistory(first: Step, onTravel: (step: Step) => void) {
  const travelled = useEffectEvent(onTravel)
  /** Going back was our own doing: the page shows that step already. */
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
    /** From the id step a new entry; from one flow to another the same one, so that Back still leads to the id step. */
    enter: (step: Exclude<Step, 'id'>) => {
      const entry = read(window.history.state)
      if (entry && entry.step !== 'id') write('replaceState', { step, above: entry.above })
      else write('pushState', { step, above: true })
    },
    /** To the id step: back where it lies below, else on to a new one. */
    toId: () => {
      if (read(window.history.state)?.above) {
        ownDoing.current = true
        window.history.back()
      } else write('pushState', { step: 'id', above: false })
    },
  }
}
