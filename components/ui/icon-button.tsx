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

const both =
  <E,>(own: ((event: E) => void) | undefined, then: (event: E) => void) =>
  (event: E) => {
    own?.(event)
    then(event)
  }

/** A button that shows only an icon. */
export function IconButton({ label, quiet = false, className, type = 'button', ...rest }: Props) {
  const { on, tip } = useTooltip(label)
  const handlers = quiet
    ? {}
    : {
        onPointerEnter: both(rest.onPointerEnter, on.onPointerEnter),
        onPointerLeave: both(rest.onPointerLeave, on.onPointerLeave),
        onPointerDown: both(rest.onPointerDown, on.onPointerDown),
        onClick: both(rest.onClick, on.onClick),
        onFocus: both(rest.onFocus, on.onFocus),
        onBlur: both(rest.onBlur, on.onBlur),
      }
  return (
    <>
      <button {...rest} {...handlers} type={type} aria-label={label} className={cn(iconButtonClasses, className)} />
      {tip}
    </>
  )
}
