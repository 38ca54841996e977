import type { ComponentProps, MouseEvent } from 'react'
import { type ButtonLook, buttonClasses } from './button-classes'
import { cn } from './cn'
import { Spinner } from './spinner'

/** A button whose label is a verb. While `pending` it shows a spinner, announces it, and ignores clicks. */
export function Button({
  variant,
  size,
  pending = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & ButtonLook & { pending?: boolean }) {
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (pending) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type}
      aria-busy={pending || undefined}
      onClick={click}
      className={cn(buttonClasses({ variant, size }), pending && 'aria-busy:cursor-progress', className)}
    >
      {pending ? <Spinner /> : null}
      {children}
    </button>
  )
}
