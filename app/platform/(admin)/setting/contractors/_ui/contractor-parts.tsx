'use client'

import type { ComponentProps } from 'react'
import { SliceCreate, SliceMenu } from '@/components/list/slice-parts'
import type { ContractorMenu } from './contractor-menu'

const form = () => import('./contractor-form').then((part) => part.NewContractor)
const menu = () => import('./contractor-menu').then((part) => part.ContractorMenu)

/** The button that creates a contractor, with its dialog. */
export const CreateContractor = () => <SliceCreate texts="contractors" form={form} />

/** The menu of a contractor's row. */
export const ContractorRowMenu = (of: ComponentProps<typeof ContractorMenu>) => <SliceMenu menu={menu} of={of} />
