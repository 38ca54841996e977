'use client'

import type { ComponentProps } from 'react'
import { SliceCreate, SliceMenu } from '@/components/list/slice-parts'
import type { AliasMenu } from './alias-menu'

const form = () => import('./alias-menu').then((part) => part.NewAlias)
const menu = () => import('./alias-menu').then((part) => part.AliasMenu)

/** The button that creates an alias, with its dialog. */
export const CreateAlias = () => <SliceCreate texts="network-aliases" form={form} />

/** The menu of an alias's row. */
export const AliasRowMenu = (of: ComponentProps<typeof AliasMenu>) => <SliceMenu menu={menu} of={of} />
