'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useId, useRef, useState } from 'react'
import type { z } from 'zod'
import type { Contract } from '@/lib/base/contracts/contract'
import { CallError, call } from '@/lib/base/http/client'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { useFailureText } from '../form/use-failure-text'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { Dialog, DialogBody, DialogCancel, DialogFooter } from '../ui/dialog'
import { saveFile } from '../ui/save-file'
import { snackbar } from '../ui/snackbar'
import { useAskedBy } from '../ui/use-later'
import { exportPath } from './address'
import { ExportButton } from './export-button'

const formats = ['xlsx', 'csv'] as const

type ExportCall = Contract<undefined, undefined, undefined, z.ZodType<File>>

export type ExportProps = {
  /** The address of the list, whose filters and sorting the file follows. */
  address: Pick<ListAddress, 'search'>
  /** The path of the call that exports it, such as `/setting/users/export`. */
  path: string
  /** The number of rows, if they were counted; `more`: there are more rows than that. */
  total?: number | undefined
  more?: boolean | undefined
}

/** Asks for the format of an export, downloads the file, and saves it only when it is complete. */
export function ExportDialog({ address, path, total, more }: ExportProps) {
  const t = useTranslations('ui.list.export')
  const notice = useTranslations('snackbar')
  const failureText = useFailureText()
  const group = useId()
  const [open, setOpen] = useState(useAskedBy() !== null)
  const [format, setFormat] = useState<(typeof formats)[number]>('xlsx')
  const [received, setReceived] = useState<number | null>(null)
  const [fault, setFault] = useState<string>()
  const sending = useRef<AbortController>(null)
  useEffect(() => () => sending.current?.abort(), [])

  const change = (next: boolean) => {
    sending.current?.abort()
    setFault(undefined)
    setOpen(next)
  }
  const take = async () => {
    const controller = new AbortController()
    sending.current = controller
    setFault(undefined)
    setReceived(0)
    try {
      const file = await call<ExportCall>(
        { method: 'GET', path: exportPath(path, address, format), returnsFile: true },
        undefined,
        { signal: controller.signal, onReceived: setReceived },
      )
      if (controller.signal.aborted) return
      saveFile(file)
      setOpen(false)
      await snackbar.ok(notice('downloadSuccess', { name: file.name }))
    } catch (error) {
      if (controller.signal.aborted) return
      const broken = !(error instanceof CallError) || error.status === 0
      setFault(broken ? notice('downloadError') : await failureText(error))
    } finally {
      setReceived(null)
    }
  }
  const verb = total === undefined ? t('doAll') : t(more ? 'doMore' : 'do', { count: total })
  const working = received !== null
  return (
    <>
      <ExportButton onClick={() => change(true)} />
      <Dialog open={open} onOpenChange={change} size="S" title={t('title')} text={t('text')}>
        <DialogBody className="grid content-start gap-4">
          <fieldset className="grid gap-2">
            <legend className="mb-2 font-medium">{t('format')}</legend>
            {formats.map((each) => (
              <label
                key={each}
                className="flex cursor-pointer items-start gap-2.5 rounded-control border border-line-strong bg-surface p-3 has-checked:border-brand has-checked:outline has-checked:outline-brand pointer-coarse:min-h-11"
              >
                <input
                  type="radio"
                  name={group}
                  checked={format === each}
                  disabled={working}
                  onChange={() => setFormat(each)}
                  className="mt-1 accent-brand"
                />
                <span className="grid min-w-0 gap-0.5">
                  {t(`formats.${each}`)}
                  <span className="text-ink-second text-note">{t(`hints.${each}`)}</span>
                </span>
              </label>
            ))}
          </fieldset>
          {fault ? (
            <Alert tone="danger" role="alert">
              {fault}
            </Alert>
          ) : null}
          <p role="status" className="text-ink-second text-note tabular-nums empty:hidden">
            {working && received > 0 ? t('working', { size: Math.ceil(received / (1024 ** 2 / 10)) / 10 }) : ''}
          </p>
        </DialogBody>
        <DialogFooter>
          <DialogCancel>{working ? t('stop') : undefined}</DialogCancel>
          <Button variant="primary" pending={working} onClick={take}>
            {verb}
          </Button>
        </DialogFooter>
      </Dialog>
    </>
  )
}
