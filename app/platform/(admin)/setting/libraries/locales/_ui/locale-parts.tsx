'use client'

import type { ComponentProps } from 'react'
import { SliceCreate, SliceMenu } from '@/components/list/slice-parts'
import type { LocaleMenu } from './locale-menu'

const form = () => import('./locale-menu').then((part) => part.NewLocale)
const menu = () => import('./locale-menu').then((part) => part.LocaleMenu)

/** The button that creates one, with its dialog. */
export const CreateLocale = () => <SliceCreate texts="locales" form={form} />

/** The menu of a row. */
export const LocaleRowMenu = (of: ComponentProps<typeof LocaleMenu>) => <SliceMenu menu={menu} of={of} />
