'use client'

import { FileDown, Upload } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { PastRuns } from '@/components/batch-job/past-runs'
import { FieldError } from '@/components/form/field-error'
import { useWriter } from '@/components/form/use-write'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { saveCsv } from '@/components/ui/save-csv'
import type { ImportColumns } from '@/lib/account-administration/user-import/contract'
import { largestFile } from '@/lib/account-administration/user-import/offered'
import type { UserBlock } from '@/lib/accounts/user-table/fields'
import type { BatchJob } from '@/lib/base/batch-jobs/contracts'

const contract = () =>
  import('@/lib/account-administration/user-import/contract').then((calls) => calls.readImportColumns)

type Props = {
  /** The fields of a new account, for which a sample file has columns. */
  fields: UserBlock['fields']
  runs: readonly BatchJob[]
  /** The previously chosen file. */
  file: File | null
  onRead: (file: File, columns: ImportColumns) => void
  onNext: (() => void) | null
  onShow: (id: string) => void
}

/** The step of the file, which is read as soon as it is chosen, with a sample and earlier imports. */
export function FileStep({ fields, runs, file, onRead, onNext, onShow }: Props) {
  const t = useTranslations('user-import')
  const box = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<string | null>(null)
  const { write, pending, reason } = useWriter()
  const read = async (chosen: File | undefined) => {
    if (!chosen) return
    setFault(chosen.size > largestFile ? t('fileTooLarge') : null)
    if (chosen.size > largestFile) return
    const outcome = await write(contract, { body: { file: chosen } }, { failure: 'form', quiet: true })
    if (outcome?.ok) onRead(chosen, outcome.output)
    else if (outcome) setFault(reason(outcome.error))
  }
  const values: Record<string, string> = {
    ...{ fio: t('sampleFio'), lastName: t('sampleLastName'), firstName: t('sampleFirstName') },
    ...{ email: 'name@example.com', login: 'name' },
  }
  const sampleOf = ({ base, code, fieldType }: (typeof fields)[number]) =>
    (base && values[code]) || (fieldType === 'date' ? '2026-01-31' : '')
  const sample = () => {
    const otherTargets = [t('targets.roles'), t('targets.organization'), t('targets.contractors')]
    const names = [...fields.map(({ title }) => title), ...otherTargets]
    void saveCsv(t('sampleName'), [names, [...fields.map(sampleOf), ...otherTargets.map(() => '')]])
  }
  // two digits, so that small files differ and none is shown as empty
  const size = (bytes: number) => t('megabytes', { size: Math.max(0.01, Math.round((bytes / 1024 ** 2) * 100) / 100) })
  return (
    <>
      <Card className="grid gap-4">
        <div className="grid gap-1">
          <h2 className="text-section">{t('file')}</h2>
          <p className="text-ink-second text-note">{t('fileHint')}</p>
        </div>
        {file ? (
          <p className="wrap-anywhere text-table">{t('fileNamed', { name: file.name, size: size(file.size) })}</p>
        ) : null}
        <div>
          <div className="flex flex-wrap items-center gap-2 @max-[28rem]:*:w-full">
            <Button variant={file ? 'secondary' : 'primary'} pending={pending} onClick={() => box.current?.click()}>
              <Upload aria-hidden="true" className="size-4" />
              {t(file ? 'otherFile' : 'chooseFile')}
            </Button>
            {onNext ? <Button onClick={onNext}>{t('next')}</Button> : null}
            <Button variant="quiet" onClick={sample}>
              <FileDown aria-hidden="true" className="size-4" />
              {t('sample')}
            </Button>
            <input
              ref={box}
              type="file"
              hidden
              accept=".csv,.txt,.xlsx,text/csv,text/plain"
              aria-label={t('chooseFile')}
              onChange={({ target }) => {
                void read(target.files?.[0])
                // the same file may be chosen again
                target.value = ''
              }}
            />
          </div>
          <div role="alert" className="not-empty:mt-4">
            {fault ? <FieldError id="import-file-fault">{fault}</FieldError> : null}
          </div>
        </div>
      </Card>
      <PastRuns runs={runs} title={t('past')} onShow={onShow} />
    </>
  )
}
