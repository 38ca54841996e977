'use client'

import * as Radix from '@radix-ui/react-popover'
import type { ComponentProps } from 'react'
import { cn } from './cn'

export const Popover = Radix.Root
export const PopoverTrigger = Radix.Trigger
export const PopoverAnchor = Radix.Anchor

/** A panel beside a control. It stays in its place in the DOM, so that a dialog around it can scroll. */
export function PopoverContent({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Content
      align="start"
      sideOffset={6}
      collisionPadding={8}
      {...rest}
      className={cn(
        'z-40 max-w-[calc(100vw-1rem)] animate-arrive overflow-clip rounded-card border border-line bg-surface font-normal text-ink shadow-float outline-none',
        className,
      )}
    />
  )
}
