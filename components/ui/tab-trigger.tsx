'use client'

import * as Radix from '@radix-ui/react-tabs'
import type { ComponentProps, SyntheticEvent } from 'react'
import { cn } from './cn'
import { tabLook } from './tab-look'

const unmark = ({ currentTarget }: SyntheticEvent<HTMLElement>) => currentTarget.removeAttribute('data-pointed')

/**
 * A tab that switches a panel. Radix focuses a clicked tab by script, for which browsers show a focus ring; the ring is
 * hidden until a key is pressed.
 */
export const TabTrigger = (props: Omit<ComponentProps<typeof Radix.Trigger>, 'className'>) => (
  <Radix.Trigger
    {...props}
    onPointerDown={({ currentTarget }) => currentTarget.setAttribute('data-pointed', '')}
    onKeyDown={unmark}
    onBlur={unmark}
    className={cn(tabLook, 'data-pointed:outline-none')}
  />
)
