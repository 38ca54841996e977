'use client'

import type { ComponentProps } from 'react'
import { SliceCreate, SliceMenu } from '@/components/list/slice-parts'
import type { OrganizationMenu } from './organization-menu'

const form = () => import('./organization-form').then((part) => part.NewOrganization)
const menu = () => import('./organization-menu').then((part) => part.OrganizationMenu)

/** The button that creates an organization, with its dialog. */
export const CreateOrganization = () => <SliceCreate texts="organizations" form={form} />

/** The menu of an organization's row. */
export const OrganizationRowMenu = (of: ComponentProps<typeof OrganizationMenu>) => <SliceMenu menu={menu} of={of} />
