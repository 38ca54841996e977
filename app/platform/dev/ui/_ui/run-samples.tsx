'use client'

import { useTranslations } from 'next-intl'
import { InviteFromFile } from '@/app/platform/(profile)/profile/requests/invitations/_ui/from-file'
import { RunLog } from '@/components/batch-job/run-log'
import { Button } from '@/components/ui/button'
import type { BatchJob } from '@/lib/base/batch-jobs/contracts'

const run = (index: number, fields: Partial<BatchJob>): BatchJob => ({
  id: `0d8f7a10-0000-4000-8000-00000000001${index}`,
  state: 'running',
  total: 1653,
  done: 1237,
  failed: 0,
  fault: null,
  date: '2026-11-22T09:00:00.000Z',
  finishedAt: null,
  worked: 134,
  left: 45,
  ...fields,
})
const faults: { row: number; title: string; code: string; params: Record<string, string | number> }[] = [
  { row: 14, title: 'z.nina@polaris.example', code: 'contractorMember', params: {} },
  { row: 209, title: '', code: 'errorEmpty', params: {} },
  {
    row: 1204,
    title: 'a-very-long-address-of-somebody-with-many-names@department.polaris.example',
    code: 'importRole',
    params: { name: 'Поставщик упаковки' },
  },
]

/**
 * A batch job that works, one that was stopped, one that stopped by itself, and one that is done; and a list of people.
 */
export function RunSamples() {
  const t = useTranslations('runs')
  const ti = useTranslations('invitation-import')
  const logProps = {
    title: ti('runTitle'),
    counts: ({ done, failed }: BatchJob) => ti('counts', { done, failed }),
    download: '#runs',
    faults: [],
  }
  const button = (label: string) => (
    <Button size="S" variant="secondary">
      {label}
    </Button>
  )
  return (
    <div className="grid max-w-[46rem] grid-cols-[minmax(0,1fr)] gap-5">
      <RunLog {...logProps} run={run(1, {})} actions={button(t('stop'))} />
      <RunLog {...logProps} run={run(2, { state: 'stopped', left: null })} actions={button(t('resume'))} />
      <RunLog {...logProps} run={run(3, { state: 'stopped', fault: 'importStarter', done: 3, left: null })} />
      <RunLog
        {...logProps}
        run={run(4, { state: 'done', done: 1534, failed: 119, left: null, worked: 4_210 })}
        faults={faults}
      />
      <div>
        <InviteFromFile />
      </div>
    </div>
  )
}
