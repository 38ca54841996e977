'use client'

import * as Radix from '@radix-ui/react-tabs'
import type { ComponentProps, SyntheticEvent } from 'react'
import { cn } from './cn'
import { tabLook } from './tab-look'

const unmark = ({ currentTarget }: SyntheticEvent<HTMLElement>) => currentTarget.removeAttribute('data-pointed')

/**
 * A tab that switches a panel. Radix gives a clicked one the focus by script, for which browsers show a ring; it has
 * none until a key is pressed.
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
