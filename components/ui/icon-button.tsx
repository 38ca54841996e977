'use client'

import type { ComponentProps } from 'react'
import { cn } from './cn'
import { iconButtonClasses } from './icon-button-classes'
import { Tooltip } from './tooltip'

type Props = Omit<ComponentProps<'button'>, 'aria-label'> & {
  /** Its name, a verb. It is also the tooltip, unless `quiet`. */
  label: string
  /** Without a tooltip, if its purpose is obvious. */
  quiet?: boolean
}

/** A button that shows only an icon. */
export function IconButton({ label, quiet = false, className, type = 'button', ...rest }: Props) {
  const button = <button {...rest} type={type} aria-label={label} className={cn(iconButtonClasses, className)} />
  return quiet ? button : <Tooltip text={label}>{button}</Tooltip>
}
