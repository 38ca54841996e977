'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { Check } from '@/components/ui/icons'
import { later } from '@/components/ui/later'
import type { ImportColumns, ImportPreview } from '@/lib/account-administration/user-import/contract'
import type { UserBlock } from '@/lib/accounts/user-table/fields'
import type { BatchJob } from '@/lib/base/batch-jobs/contracts'
import { type Choices, firstChoices, type ReadFile } from './choices'
import { FileStep } from './file-step'

// the later steps are loaded when the person reaches them
const ColumnsStep = later(() => import('./columns-step').then((part) => part.ColumnsStep))
const CheckStep = later(() => import('./check-step').then((part) => part.CheckStep))
const RunStep = later(() => import('./run-step').then((part) => part.RunStep))

const steps = ['source', 'columns', 'check', 'run'] as const
type Step = (typeof steps)[number]

type Read = ReadFile & { columns: ImportColumns; choices: Choices }

/** The steps of an import. Nothing is written before the last one, and going back keeps the choices. */
export function Wizard({ runs, fields }: { runs: readonly BatchJob[]; fields: UserBlock['fields'] }) {
  const open = runs.find(({ state }) => state !== 'done')
  const [step, setStep] = useState<Step>(open ? 'run' : 'source')
  const [runId, setRunId] = useState(open?.id ?? null)
  const [read, setRead] = useState<Read | null>(null)
  const [preview, setPreview] = useState<ImportPreview | null>(null)
  const position = usePosition(step)
  const panel = useRef<HTMLElement>(null)
  const lastShown = useRef(`${step} `)
  // the button or field that led here was removed, and the focus with it
  const showing = `${step} ${step === 'columns' ? JSON.stringify(read?.wishes) : ''}`
  useEffect(() => {
    if (lastShown.current === showing) return
    lastShown.current = showing
    if (document.activeElement === document.body) panel.current?.focus()
  }, [showing])
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-5 @min-[64rem]:grid-cols-[13rem_minmax(0,46rem)]">
      <Steps step={step} />
      <section
        ref={panel}
        aria-label={position}
        tabIndex={-1}
        data-quiet-focus
        className="grid min-w-0 max-w-[46rem] grid-cols-[minmax(0,1fr)] gap-5"
      >
        {step === 'source' ? (
          <FileStep
            fields={fields}
            runs={runs}
            file={read?.file ?? null}
            onRead={(file, columns) => {
              setRead({ file, wishes: {}, columns, choices: firstChoices(columns) })
              setStep('columns')
            }}
            onNext={read ? () => setStep('columns') : null}
            onShow={(id) => {
              setRunId(id)
              setStep('run')
            }}
          />
        ) : null}
        {step === 'columns' && read ? (
          <ColumnsStep
            {...read}
            // a file that is read in another way has other columns
            key={JSON.stringify(read.wishes)}
            onRead={(wishes, columns) => setRead({ ...read, wishes, columns, choices: firstChoices(columns) })}
            onBack={(choices) => {
              setRead({ ...read, choices })
              setStep('source')
            }}
            onChecked={(choices, checked) => {
              setRead({ ...read, choices })
              setPreview(checked)
              setStep('check')
            }}
          />
        ) : null}
        {step === 'check' && read && preview ? (
          <CheckStep
            read={read}
            choices={read.choices}
            preview={preview}
            onBack={() => setStep('columns')}
            onStarted={(id) => {
              setRead(null)
              setRunId(id)
              setStep('run')
            }}
          />
        ) : null}
        {step === 'run' && runId ? <RunStep id={runId} onAnother={() => setStep('source')} /> : null}
      </section>
    </div>
  )
}

/** Returns the name of a step with its number. */
function usePosition(step: Step) {
  const t = useTranslations('user-import')
  return t('stepOf', { step: steps.indexOf(step) + 1, count: steps.length, name: t(`steps.${step}`) })
}

/** The position in the steps: all steps if there is room, otherwise the number of this one. */
function Steps({ step }: { step: Step }) {
  const t = useTranslations('user-import')
  const current = steps.indexOf(step)
  const position = usePosition(step)
  return (
    <nav aria-label={t('stepsLabel')}>
      <p className="font-medium text-ink-second text-table @min-[64rem]:hidden">{position}</p>
      <ol className="hidden gap-1 @min-[64rem]:grid">
        {steps.map((name, n) => (
          <li
            key={name}
            aria-current={n === current ? 'step' : undefined}
            className={cn(
              'flex min-h-9 items-center gap-3 rounded-control px-3 text-table',
              n === current ? 'bg-sunken font-medium' : 'text-ink-second',
            )}
          >
            <span
              className={cn(
                'flex size-6 shrink-0 items-center justify-center rounded-full border text-note tabular-nums',
                n <= current ? 'border-brand text-brand' : 'border-line-strong',
              )}
            >
              {n < current ? <Check className="size-3.5" /> : n + 1}
            </span>
            {t(`steps.${name}`)}
          </li>
        ))}
      </ol>
    </nav>
  )
}
