'use client'

import { useFormatter } from 'next-intl'
import { SliceMenu } from '@/components/list/slice-parts'

const menu = () => import('./run-menu').then((part) => part.RunMenu)

/** The menu of a batch job. */
export function RunRowMenu({ id, date, path }: { id: string; date: string; path: string }) {
  const format = useFormatter()
  const name = format.dateTime(new Date(date), { dateStyle: 'long', timeStyle: 'short' })
  return <SliceMenu menu={menu} of={{ id, name, path }} />
}
