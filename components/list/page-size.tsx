'use client'

import type { ListAddress } from '@/lib/base/lists/list-address'
import { AskedByContext, useLater } from '../ui/use-later'
import { PageSizeButton } from './page-size-button'

const load = () => import('./page-size-menu').then(({ PageSizeMenu }) => PageSizeMenu)

/** The page size. The choice is loaded when it is first used. */
export function PageSize({ address, perPage }: { address: ListAddress; perPage: number }) {
  const { Part, asked, wake } = useLater(load)
  if (!Part) return <PageSizeButton perPage={perPage} {...wake} />
  return (
    <AskedByContext value={asked}>
      <Part address={address} perPage={perPage} />
    </AskedByContext>
  )
}
