'use client'

import type { ComponentProps } from 'react'
import { SliceCreate, SliceMenu } from '@/components/list/slice-parts'
import type { SchemaMenu } from './schema-menu'

const form = () => import('./schema-form').then((part) => part.NewSchema)
const menu = () => import('./schema-menu').then((part) => part.SchemaMenu)

/** The button that creates a schema, with its dialog. */
export const CreateSchema = () => <SliceCreate texts="authentication-schemas" form={form} />

/** The menu of a schema's row. */
export const SchemaRowMenu = (of: ComponentProps<typeof SchemaMenu>) => <SliceMenu menu={menu} of={of} />
