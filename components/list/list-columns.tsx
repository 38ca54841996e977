'use client'

import { AskedContext, useLater } from '../ui/use-later'
import { ColumnsButton } from './columns-button'
import type { ColumnsProps } from './columns-menu'

const load = () => import('./columns-menu').then(({ ColumnsMenu }) => ColumnsMenu)

/** Which columns a list shows. The choice loads with its first use. */
export function ListColumns(props: ColumnsProps) {
  const { Part, asked, wake } = useLater(load)
  if (!Part) return <ColumnsButton {...wake} />
  return (
    <AskedContext value={asked}>
      <Part {...props} />
    </AskedContext>
  )
}
