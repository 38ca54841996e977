'use client'

import type { ComponentProps } from 'react'
import { SliceCreate, SliceMenu } from '@/components/list/slice-parts'
import type { ApplicationMenu } from './application-menu'

const form = () => import('./application-form').then((part) => part.NewApplication)
const menu = () => import('./application-menu').then((part) => part.ApplicationMenu)

/** The button that creates an application, with its dialog. */
export const CreateApplication = () => <SliceCreate texts="applications" form={form} />

/** The menu of an application's row. */
export const ApplicationRowMenu = (of: ComponentProps<typeof ApplicationMenu>) => <SliceMenu menu={menu} of={of} />
