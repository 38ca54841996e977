'use client'

import { CirclePlay, CircleStop } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useCallback } from 'react'
import type { BatchContracts, BatchJob } from '@/lib/base/batch-jobs/contracts'
import type { CallOutput } from '@/lib/base/contracts/contract'
import { call, callAddress } from '@/lib/base/http/client'
import { ActionButton } from '../form/action-button'
import { sends } from '../form/actions'
import { PartFailed } from '../ui/part-failed'
import { Skeleton } from '../ui/skeleton'
import { RunLog } from './run-log'
import { useRun } from './use-run'

type Props = {
  id: string
  /** The path of the batch job's endpoints, such as `/master-account/invitations/import`. */
  path: string
  /** Loads the contracts that stop and resume a batch job; null for people who may only read. */
  calls: (() => Promise<Pick<BatchContracts, 'stop' | 'resume'>>) | null
  title: string
  counts: (run: BatchJob) => string
  /** What people should know while it works, such as that they may leave the page. */
  note?: string
  /** The batch job as the page has read it. */
  first?: CallOutput<BatchContracts['read']> | undefined
}

/** A batch job that the page follows while it works. */
export function LiveBatchJob({ id, path, calls, title, counts, note, first }: Props) {
  const t = useTranslations('runs')
  const read = useCallback(
    (run: string) => call<BatchContracts['read']>({ method: 'GET', path: `${path}/{id}` }, { params: { id: run } }),
    [path],
  )
  const { shown, fault, look } = useRun(read, id, first)

  if (!shown) return fault ? <PartFailed retry={() => void look()} /> : <Skeleton className="h-36" />
  const input = { params: { id } }
  const done = { onDone: () => void look() }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <RunLog
        {...shown}
        title={title}
        counts={counts}
        download={callAddress(`${path}/{id}/faults`, input)}
        actions={
          !calls ? null : shown.run.state === 'running' ? (
            <ActionButton
              action={{
                kind: 'call',
                label: t('stop'),
                icon: CircleStop,
                sends: sends(() => calls().then((contracts) => contracts.stop), input, done),
              }}
            />
          ) : shown.run.state === 'stopped' ? (
            <ActionButton
              variant="primary"
              action={{
                kind: 'call',
                label: t('resume'),
                icon: CirclePlay,
                sends: sends(() => calls().then((contracts) => contracts.resume), input, done),
              }}
            />
          ) : null
        }
      />
      {note && shown.run.state === 'running' ? <p className="text-ink-second text-note">{note}</p> : null}
      <p role="status" className="text-ink-second text-note empty:hidden">
        {fault ? t('lost') : ''}
      </p>
    </div>
  )
}
