'use client'

import type { ComponentProps } from 'react'
import { SliceMenu } from '@/components/list/slice-parts'
import type { SyncMenu } from './sync-menu'

const menu = () => import('./sync-menu').then((part) => part.SyncMenu)

/** The menu of an exchange's row. */
export const SyncRowMenu = (of: ComponentProps<typeof SyncMenu>) => <SliceMenu menu={menu} of={of} />
