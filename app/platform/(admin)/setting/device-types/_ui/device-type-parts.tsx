'use client'

import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { CreateButton } from '@/components/form/create-button'
import { RowMenuLater } from '@/components/list/row-menu-later'
import type { DeviceTypeMenu } from './device-type-menu'

/** The button that makes a device type, with its dialog. */
export function CreateDeviceType() {
  const t = useTranslations('device-types')
  const form = () => import('./device-type-form').then(({ NewDeviceType }) => NewDeviceType)
  return <CreateButton label={t('create')} title={t('createTitle')} form={form} />
}

const menu = () => import('./device-type-menu').then((part) => part.DeviceTypeMenu)

/** The menu of a device type's row. */
export function DeviceTypeRowMenu(of: ComponentProps<typeof DeviceTypeMenu>) {
  return <RowMenuLater row={of.name} menu={menu} of={of} />
}
