'use client'

import type { ComponentProps } from 'react'
import { SliceMenu } from '@/components/list/slice-parts'
import type { RequestMenu } from './request-menu'

const menu = () => import('./request-menu').then((part) => part.RequestMenu)

/** The menu of an own request. */
export const RequestRowMenu = (props: ComponentProps<typeof RequestMenu>) => <SliceMenu menu={menu} of={props} />
