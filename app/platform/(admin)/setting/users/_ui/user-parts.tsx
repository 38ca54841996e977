'use client'

import type { ComponentProps } from 'react'
import { SliceMenu } from '@/components/list/slice-parts'
import type { UserMenu } from './user-menu'

const menu = () => import('./user-menu').then((part) => part.UserMenu)

/** The menu of a person's row. */
export const UserRowMenu = (of: ComponentProps<typeof UserMenu>) => <SliceMenu menu={menu} of={of} />
