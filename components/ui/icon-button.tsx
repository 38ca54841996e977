'use client'

import type { ComponentProps } from 'react'
import { cn } from './cn'
import { iconButtonClasses } from './icon-button-classes'
import { useTooltip } from './tooltip'

type Props = Omit<ComponentProps<'button'>, 'aria-label'> & {
  /** Its name, a verb. It is also the tooltip, unless `quiet`. */
  label: string
  /** Without a tooltip, if its purpose is obvious. */
  quiet?: boolean
}

const callBoth =
  <E,>(first: ((event: E) => void) | undefined, second: (event: E) => void) =>
  (event: E) => {
    first?.(event)
    second(event)
  }

/** A button that shows only an icon. */
export function IconButton({ label, quiet = false, className, type = 'button', ...rest }: Props) {
  const { on, tip } = useTooltip(label)
  const handlers = quiet
    ? {}
    : {
        onPointerEnter: callBoth(rest.onPointerEnter, on.onPointerEnter),
        onPointerLeave: callBoth(rest.onPointerLeave, on.onPointerLeave),
        onPointerDown: callBoth(rest.onPointerDown, on.onPointerDown),
        onClick: callBoth(rest.onClick, on.onClick),
        onFocus: callBoth(rest.onFocus, on.onFocus),
        onBlur: callBoth(rest.onBlur, on.onBlur),
      }
  return (
    <>
      <button {...rest} {...handlers} type={type} aria-label={label} className={cn(iconButtonClasses, className)} />
      {tip}
    </>
  )
}
