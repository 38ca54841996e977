'use client'

import type { ComponentProps } from 'react'
import { cn } from './cn'
import { Tooltip } from './tooltip'

type Props = Omit<ComponentProps<'button'>, 'aria-label'> & {
  /** Its name, a verb, and its tooltip unless `quiet`. */
  label: string
  /** Without a tooltip, where what it does is plain. */
  quiet?: boolean
}

const look =
  'inline-flex size-9 shrink-0 cursor-pointer items-center justify-center rounded-control text-ink-second transition-colors hover:bg-sunken hover:text-ink aria-disabled:cursor-not-allowed aria-disabled:opacity-50 data-[state=open]:bg-sunken data-[state=open]:text-ink pointer-coarse:size-11'

/** A button that is an icon. */
export function IconButton({ label, quiet = false, className, type = 'button', ...rest }: Props) {
  const button = <button {...rest} type={type} aria-label={label} className={cn(look, className)} />
  return quiet ? button : <Tooltip text={label}>{button}</Tooltip>
}
