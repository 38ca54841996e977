'use client'

import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { LiveBatchJob } from '@/components/batch-job/live-run'
import { PastRuns } from '@/components/batch-job/past-runs'
import { Button } from '@/components/ui/button'
import { DialogBody, DialogFooter } from '@/components/ui/dialog'
import { Skeleton } from '@/components/ui/skeleton'
import type { BatchJob } from '@/lib/base/batch-jobs/contracts'
import type { CallOutput } from '@/lib/base/contracts/contract'
import { call } from '@/lib/base/http/client'
import {
  type listInvitationImports,
  type Preview,
  resumeInvitationImport,
  startInvitationImport,
  stopInvitationImport,
} from '@/lib/joining/invitation-import/contract'
import { FileCheck } from './file-check'
import { FileSource, type Source } from './file-source'

const calls = () => Promise.resolve({ stop: stopInvitationImport, resume: resumeInvitationImport })

type Step = { at: 'source' } | { at: 'check'; preview: Preview } | { at: 'run'; id: string }
const empty: Source = { text: '', contractorId: null, access: [] }

/** The list, its check and its batch job, one after another. A batch job that isn't over is shown first. */
export function FromFileDialog() {
  const t = useTranslations('invitation-import')
  const [past, setPast] = useState<BatchJob[] | null>(null)
  const [step, setStep] = useState<Step>({ at: 'source' })
  const [source, setSource] = useState(empty)
  useEffect(() => {
    call<typeof listInvitationImports>({ method: 'GET', path: startInvitationImport.path })
      .then(({ runs }: CallOutput<typeof listInvitationImports>) => {
        const open = runs.find(({ state }) => state !== 'done')
        if (open) setStep({ at: 'run', id: open.id })
        setPast(runs)
      })
      // earlier batch jobs are the least important part of this dialog
      .catch(() => setPast([]))
  }, [])

  if (!past)
    return (
      <DialogBody>
        <Skeleton className="h-40" />
      </DialogBody>
    )
  if (step.at === 'run') return <FileRun id={step.id} onLeave={() => setStep({ at: 'source' })} />
  if (step.at === 'check')
    return (
      <FileCheck
        preview={step.preview}
        source={source}
        onBack={() => setStep({ at: 'source' })}
        onStarted={(id) => {
          setSource(empty)
          setStep({ at: 'run', id })
        }}
      />
    )
  return (
    <FileSource
      source={source}
      onChecked={(sent, preview) => {
        setSource(sent)
        setStep({ at: 'check', preview })
      }}
    >
      <PastRuns runs={past} title={t('past')} level={3} onShow={(id) => setStep({ at: 'run', id })} />
    </FileSource>
  )
}

function FileRun({ id, onLeave }: { id: string; onLeave: () => void }) {
  const t = useTranslations('invitation-import')
  return (
    <>
      <DialogBody className="grid content-start gap-4">
        <LiveBatchJob
          id={id}
          path={startInvitationImport.path}
          calls={calls}
          title={t('runTitle')}
          counts={({ done, failed }) => t('counts', { done, failed })}
          note={t('runNote')}
        />
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" onClick={onLeave}>
          {t('another')}
        </Button>
      </DialogFooter>
    </>
  )
}
