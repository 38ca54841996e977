'use client'

import { FlaskConical } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { useRun } from '@/components/batch-job/use-run'
import { EditableGroup } from '@/components/card/editable-group'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'
import { useErrorText } from '@/components/form/use-error-text'
import { DateTime } from '@/components/ui/date-time'
import { PartFailed } from '@/components/ui/part-failed'
import { Progress } from '@/components/ui/progress'
import { Skeleton } from '@/components/ui/skeleton'
import { call } from '@/lib/base/http/client'
import type { readProviderRun, SyncRun } from '@/lib/directory-sync/provider-sync/contract'
import type { Provider, ProviderSync } from '@/lib/directory-sync/providers/contract'
import { RunRowsButton } from './run-rows-button'
import { SyncRunView } from './sync-run'

const readRun = (id: string) =>
  call<typeof readProviderRun>({ method: 'GET', path: '/setting/providers/runs/{id}' }, { params: { id } })
type ShownRun = Awaited<ReturnType<typeof readRun>>

type Live = { id: string; mayWrite: boolean; path: string; first?: ShownRun | null }

/** A batch job that the page follows while it works. */
export function LiveSync({ id, mayWrite, path, first = null }: Live) {
  const t = useTranslations('runs')
  const { shown, fault, look } = useRun(readRun, id, first)
  if (!shown) return fault ? <PartFailed retry={() => void look()} /> : <Skeleton className="h-48" />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <SyncRunView {...shown} mayWrite={mayWrite} path={path} onChanged={() => void look()} />
      <p role="status" className="text-ink-second text-note empty:hidden">
        {fault ? t('lost') : ''}
      </p>
    </div>
  )
}

type Schedule = {
  provider: Provider
  sync: ProviderSync
  suggested: { periodUnit: number; periodAmount: ProviderSync['periodAmount'] }
  mayEdit: boolean
  children: ReactNode
}

/** Whether and how often people are synchronized, edited in place. */
export function ScheduleGroup({ provider, sync, suggested, mayEdit, children }: Schedule) {
  const t = useTranslations('provider-sync')
  const load = () => import('./schedule-form').then((part) => part.ScheduleForm)
  return (
    <EditableGroup title={t('schedule')} form={load} of={{ provider, sync, suggested }} mayEdit={mayEdit}>
      {children}
    </EditableGroup>
  )
}

const kinds = ['created', 'changed', 'enabled', 'disabled', 'same', 'failed'] as const
const signs = { created: '+', changed: '~', enabled: '↑', disabled: '−', same: '=', failed: '!' } as const
const countOf = ({ counts, failed }: SyncRun, kind: (typeof kinds)[number]) =>
  kind === 'failed' ? failed : counts[kind]

type Trial = { providerId: string; last: ShownRun | null; mayWrite: boolean; mappers: number }

/** A dry run: shows what a synchronization would change, without changing it. */
export function DryRun({ providerId, last, mayWrite, mappers }: Trial) {
  const t = useTranslations('provider-sync')
  const errorText = useErrorText()
  const [started, setStarted] = useState<string | null>(null)
  const id = started ?? last?.run.id
  return (
    <div className="grid gap-3">
      {id ? (
        <TrialResult key={id} id={id} first={started ? null : last} />
      ) : (
        <p className="text-ink-second text-table">{t('trialText')}</p>
      )}
      {mayWrite ? (
        <div>
          <ActionButton
            action={{
              kind: 'call',
              label: t(id ? 'trialAgain' : 'trialStart'),
              icon: FlaskConical,
              ...(mappers === 0 ? { unavailable: errorText('syncFieldsMissing') } : {}),
              sends: sends(
                () =>
                  import('@/lib/directory-sync/provider-sync/contract').then(
                    (contracts) => contracts.startProviderSync,
                  ),
                { params: { id: providerId }, body: { dry: true } },
                { onDone: (created) => setStarted(created.id) },
              ),
            }}
          />
        </div>
      ) : null}
    </div>
  )
}

function TrialResult({ id, first }: { id: string; first: ShownRun | null }) {
  const t = useTranslations('provider-sync')
  const errorText = useErrorText()
  const { shown, fault, look } = useRun(readRun, id, first)
  if (!shown) return fault ? <PartFailed retry={() => void look()} /> : <Skeleton className="h-32" />
  const { run } = shown
  const box = 'rounded-card border border-line bg-surface'
  if (run.state === 'running')
    return (
      <div className={`${box} p-4`}>
        <Progress
          label={run.phase === 'read' ? t('reading', { count: run.read }) : t('comparing')}
          done={run.done + run.failed}
          {...(run.phase === 'read' ? {} : { total: run.total })}
        />
      </div>
    )
  if (run.state === 'stopped')
    return (
      <p className={`${box} px-4 py-3 text-danger text-table`}>
        {run.fault ? errorText(run.fault) : t('trialStopped')}
      </p>
    )
  return (
    <div className={box}>
      <p className="border-line border-b px-4 py-3 text-ink-second text-note">
        <DateTime value={run.date} /> {t('trialDone')}
      </p>
      <ul className="divide-y divide-line">
        {kinds.map((kind) => {
          const count = countOf(run, kind)
          if (count === 0 && (kind === 'enabled' || kind === 'failed')) return null
          return (
            <li key={kind} className="flex items-center gap-3 px-4 py-2.5 text-table">
              <span aria-hidden="true" className="w-3 font-mono text-ink-second">
                {signs[kind]}
              </span>
              <span className="min-w-0 grow">
                {count > 0 && kind !== 'same' ? (
                  <RunRowsButton id={id} action={kind} label={t(`would.${kind}`)} />
                ) : (
                  t(`would.${kind}`)
                )}
              </span>
              <span className="tabular-nums">{count}</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
