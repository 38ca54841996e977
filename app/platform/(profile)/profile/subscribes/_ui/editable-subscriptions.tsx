'use client'

import type { ComponentProps, ReactNode } from 'react'
import { EditableGroup } from '@/components/card/editable-group'
import type { SubscriptionForm } from './subscription-form'

const form = () => import('./subscription-form').then((part) => part.SubscriptionForm)

type Props = Omit<ComponentProps<typeof SubscriptionForm>, 'onDone'> & {
  title: string
  note: string | undefined
  children: ReactNode
}

/** A group of subscriptions: text until *Edit*, then a form. */
export function EditableSubscriptions({ title, note, children, ...of }: Props) {
  return (
    <EditableGroup title={title} note={note} form={form} of={of} mayEdit>
      {children}
    </EditableGroup>
  )
}
