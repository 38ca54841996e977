'use client'

import type { ListAddress } from '@/lib/kernel/list-address'
import { AskedContext, useLater } from '../ui/use-later'
import { PageSizeButton } from './page-size-button'

const load = () => import('./page-size-menu').then(({ PageSizeMenu }) => PageSizeMenu)

/** How many rows a page takes. The choice loads with its first use. */
export function PageSize({ address, perPage }: { address: ListAddress; perPage: number }) {
  const { Part, asked, wake } = useLater(load)
  if (!Part) return <PageSizeButton perPage={perPage} {...wake} />
  return (
    <AskedContext value={asked}>
      <Part address={address} perPage={perPage} />
    </AskedContext>
  )
}
