'use client'

import type { ComponentProps } from 'react'
import { SliceMenu } from '@/components/list/slice-parts'
import type { OwnMenu } from './own-menu'
import type { SentMenu } from './sent-menu'

const sentMenu = () => import('./sent-menu').then((part) => part.SentMenu)
const ownMenu = () => import('./own-menu').then((part) => part.OwnMenu)

/** The menu of an invitation to a company. */
export const SentRowMenu = (props: Omit<ComponentProps<typeof SentMenu>, 'name'>) => (
  <SliceMenu menu={sentMenu} of={{ ...props, name: props.invitation.email }} />
)

/** The menu of an invitation to the person. */
export const OwnRowMenu = (props: Omit<ComponentProps<typeof OwnMenu>, 'name'>) => (
  <SliceMenu menu={ownMenu} of={{ ...props, name: props.invitation.company }} />
)
