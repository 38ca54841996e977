'use client'

import type { ComponentProps } from 'react'
import { SliceCreate, SliceMenu } from '@/components/list/slice-parts'
import type { DocumentMenu } from './document-menu'

const form = () => import('./document-form').then((part) => part.NewDocument)
const menu = () => import('./document-menu').then((part) => part.DocumentMenu)

/** The button that creates one, with its dialog. */
export const CreateDocument = () => <SliceCreate texts="documents" form={form} />

/** The menu of a row. */
export const DocumentRowMenu = (of: ComponentProps<typeof DocumentMenu>) => <SliceMenu menu={menu} of={of} />
