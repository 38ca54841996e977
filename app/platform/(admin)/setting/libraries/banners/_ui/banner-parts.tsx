'use client'

import type { ComponentProps } from 'react'
import { SliceCreate, SliceMenu } from '@/components/list/slice-parts'
import type { BannerMenu } from './banner-menu'

const form = () => import('./banner-menu').then((part) => part.NewBanner)
const menu = () => import('./banner-menu').then((part) => part.BannerMenu)

/** The button that creates one, with its dialog. */
export const CreateBanner = () => <SliceCreate texts="banners" form={form} />

/** The menu of a row. */
export const BannerRowMenu = (of: ComponentProps<typeof BannerMenu>) => <SliceMenu menu={menu} of={of} />
