'use client'

import { AskedByContext, useLater } from '../ui/use-later'
import { ExportButton } from './export-button'
import type { ExportProps } from './export-dialog'

const load = () => import('./export-dialog').then(({ ExportDialog }) => ExportDialog)

/** Exports a list as a file. The dialog is loaded when it is first used. */
export function ListExport(props: ExportProps) {
  const { Part, asked, wake } = useLater(load)
  if (!Part) return <ExportButton {...wake} />
  return (
    <AskedByContext value={asked}>
      <Part {...props} />
    </AskedByContext>
  )
}
