'use client'

import type { ComponentProps } from 'react'
import { SliceCreate, SliceMenu } from '@/components/list/slice-parts'
import type { DomainMenu } from './domain-menu'

const form = () => import('./new-domain').then((part) => part.NewDomain)
const menu = () => import('./domain-menu').then((part) => part.DomainMenu)

/** The button that creates a domain, with its dialog. */
export const CreateDomain = () => <SliceCreate texts="domains" form={form} />

/** The menu of a row. */
export const DomainRowMenu = (of: ComponentProps<typeof DomainMenu>) => <SliceMenu menu={menu} of={of} />
