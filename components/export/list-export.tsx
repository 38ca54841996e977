'use client'

import { AskedContext, useLater } from '../ui/use-later'
import { ExportButton } from './export-button'
import type { ExportProps } from './export-dialog'

const load = () => import('./export-dialog').then(({ ExportDialog }) => ExportDialog)

/** Takes a list away as a file. The choice of the file loads with its first use. */
export function ListExport(props: ExportProps) {
  const { Part, asked, wake } = useLater(load)
  if (!Part) return <ExportButton {...wake} />
  return (
    <AskedContext value={asked}>
      <Part {...props} />
    </AskedContext>
  )
}
