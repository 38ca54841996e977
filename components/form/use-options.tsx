'use client'

import { useRef, useState } from 'react'
import { useLater } from '../ui/use-later'
import type { Options } from './option-popover'

const load = () => import('./option-popover').then((part) => part.OptionPopover)

/**
 * For a button that opens a search over options, which is loaded when the button is first used. Spread `opens` on the
 * button, give it the ref `button`, and render `popover` right after it.
 */
export function useOptions(options: Options) {
  const { Part, ask, wake } = useLater(load)
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return {
    button,
    close: () => setOpen(false),
    opens: {
      ...wake,
      type: 'button',
      'aria-haspopup': 'dialog',
      'aria-expanded': open && Part !== null,
      onClick: () => {
        setOpen(Part ? !open : true)
        ask()
      },
    } as const,
    popover: Part ? <Part {...options} button={button} open={open} onOpenChange={setOpen} /> : null,
  }
}
