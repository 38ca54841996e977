'use client'

import { AskedByContext, useLater } from '../ui/use-later'
import { ColumnsButton } from './columns-button'
import type { ColumnsProps } from './columns-menu'

const load = () => import('./columns-menu').then(({ ColumnsMenu }) => ColumnsMenu)

/** The choice of a list's columns. It is loaded when it is first used. */
export function ListColumns(props: ColumnsProps) {
  const { Part, asked, wake } = useLater(load)
  if (!Part) return <ColumnsButton {...wake} />
  return (
    <AskedByContext value={asked}>
      <Part {...props} />
    </AskedByContext>
  )
}
