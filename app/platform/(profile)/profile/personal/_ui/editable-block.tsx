'use client'

import type { ComponentProps } from 'react'
import { EditableGroup } from '@/components/card/editable-group'
import type { BlockForm } from './block-form'

const form = () => import('./block-form').then((part) => part.BlockForm)

type Props = Omit<ComponentProps<typeof BlockForm>, 'onDone'> & { title: string; children: React.ReactNode }

/** A block of the own fields: text until *Edit*, then a form. */
export function EditableBlock({ title, children, ...of }: Props) {
  return (
    <EditableGroup title={title} form={form} of={of} mayEdit fields={of.fields.map(({ code }) => code)}>
      {children}
    </EditableGroup>
  )
}
