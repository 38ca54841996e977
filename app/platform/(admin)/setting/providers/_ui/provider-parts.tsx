'use client'

import type { ComponentProps } from 'react'
import { SliceCreate, SliceMenu } from '@/components/list/slice-parts'
import type { ProviderMenu } from './provider-menu'

const form = () => import('./provider-form').then((part) => part.NewProvider)
const menu = () => import('./provider-menu').then((part) => part.ProviderMenu)

/** The button that adds a directory, with its dialog. */
export const CreateProvider = () => <SliceCreate texts="providers" form={form} />

/** The menu of a directory's row. */
export const ProviderRowMenu = (of: ComponentProps<typeof ProviderMenu>) => <SliceMenu menu={menu} of={of} />
