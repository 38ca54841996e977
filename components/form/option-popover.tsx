'use client'

import { type RefObject, useRef } from 'react'
import { Popover, PopoverAnchor, PopoverContent } from '../ui/popover'
import { OptionList } from './option-list'
import type { Option, Search } from './use-search'

export type Options = {
  /** The name of the popover and of its list. */
  label: string
  /** Finds options. Keep the function the same between renders. */
  search: Search
  /** The chosen values. */
  chosen: readonly string[]
  onChoose: (option: Option) => void
  className?: string
}

type Props = Options & {
  /** The button that opens it; it stays a plain button of the page. */
  button: RefObject<HTMLButtonElement | null>
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Options to choose from, beside their button. `useOptions` loads it when the button is first used. */
export function OptionPopover({ button, open, onOpenChange, label, className, ...list }: Props) {
  const hasLeft = useRef(false)
  return (
    <Popover open={open} onOpenChange={onOpenChange}>
      <PopoverAnchor virtualRef={button as RefObject<HTMLButtonElement>} />
      <PopoverContent
        aria-label={label}
        className={className}
        onOpenAutoFocus={() => {
          hasLeft.current = false
        }}
        onInteractOutside={(event) => {
          // the button closes it by its own click
          if (event.target instanceof Node && button.current?.contains(event.target)) event.preventDefault()
          else hasLeft.current = true
        }}
        onCloseAutoFocus={() => {
          if (!hasLeft.current) button.current?.focus()
        }}
      >
        <OptionList label={label} {...list} />
      </PopoverContent>
    </Popover>
  )
}
