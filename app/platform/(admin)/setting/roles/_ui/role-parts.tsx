'use client'

import type { ComponentProps } from 'react'
import { SliceCreate, SliceMenu } from '@/components/list/slice-parts'
import type { RoleMenu } from './role-menu'

const form = () => import('./role-form').then((part) => part.NewRole)
const menu = () => import('./role-menu').then((part) => part.RoleMenu)

/** The button that creates a role, with its dialog. */
export const CreateRole = () => <SliceCreate texts="roles" form={form} />

/** The menu of a role's row. */
export const RoleRowMenu = (of: ComponentProps<typeof RoleMenu>) => <SliceMenu menu={menu} of={of} />
