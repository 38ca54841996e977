'use client'

import type { ComponentProps } from 'react'
import { SliceCreate, SliceMenu } from '@/components/list/slice-parts'
import type { DeviceTypeMenu } from './device-type-menu'

const form = () => import('./device-type-menu').then((part) => part.NewDeviceType)
const menu = () => import('./device-type-menu').then((part) => part.DeviceTypeMenu)

/** The button that creates a device type, with its dialog. */
export const CreateDeviceType = () => <SliceCreate texts="device-types" form={form} />

/** The menu of a device type's row. */
export const DeviceTypeRowMenu = (of: ComponentProps<typeof DeviceTypeMenu>) => <SliceMenu menu={menu} of={of} />
