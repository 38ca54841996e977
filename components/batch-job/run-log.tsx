import { Download } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { BatchFault, BatchJob } from '@/lib/base/batch-jobs/contracts'
import { useErrorText } from '../form/use-error-text'
import { Alert } from '../ui/alert'
import { buttonClasses } from '../ui/button-classes'
import { Card } from '../ui/card'
import { DateTime } from '../ui/date-time'
import { Progress } from '../ui/progress'
import { RunPill } from './run-pill'
import { useFaultText } from './use-fault-text'

/** Returns a function that formats seconds as words: “2 мин 14 с”. */
export function useLength() {
  const t = useTranslations('runs')
  return (total: number) => {
    const [days, hours] = [Math.floor(total / 86_400), Math.floor((total % 86_400) / 3600)]
    const [minutes, seconds] = [Math.floor((total % 3600) / 60), Math.floor(total % 60)]
    if (days > 0) return t('days', { days, hours, minutes })
    if (hours > 0) return t('hours', { hours, minutes })
    return minutes > 0 ? t('minutes', { minutes, seconds }) : t('seconds', { seconds })
  }
}

type Props = {
  /** What the batch job does, such as “Sending invitations”. */
  title: string
  /** How many rows are done and failed, in words. */
  counts: (run: BatchJob) => string
  run: BatchJob
  /** The first failed rows. */
  faults: readonly BatchFault[]
  /** The address of the file with all failed rows. */
  download: string
  /** The buttons that stop or resume it. */
  actions?: ReactNode
}

/** A batch job with its progress, its end or the reason why it has stopped, and the rows that failed. */
export function RunLog({ title, counts, run, faults, download, actions }: Props) {
  const t = useTranslations('runs')
  const errorText = useErrorText()
  const length = useLength()
  const { state, total, failed, fault } = run
  const handled = run.done + failed
  return (
    <div className="@container grid grid-cols-[minmax(0,1fr)] gap-7">
      <Card className="grid gap-4">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 className="text-section">{title}</h3>
            <RunPill run={run} />
            <span className="text-ink-second text-note">
              <DateTime value={run.date} />
            </span>
          </div>
          <dl className="flex flex-wrap gap-x-5 gap-y-1 text-table tabular-nums">
            <div className="flex gap-2">
              <dt className="text-ink-second">{t(state === 'running' ? 'worked' : 'took')}</dt>
              <dd>{length(run.worked)}</dd>
            </div>
            {run.left === null ? null : (
              <div className="flex gap-2">
                <dt className="text-ink-second">{t('left')}</dt>
                <dd>{t('about', { time: length(run.left) })}</dd>
              </div>
            )}
          </dl>
        </div>
        {/* a batch job that ended before its rows were counted has no progress */}
        {total > 0 || state === 'running' ? (
          <Progress label={counts(run)} done={handled} total={total} />
        ) : (
          <p className="text-note">{counts(run)}</p>
        )}
        {state === 'stopped' ? (
          <Alert tone="warning">
            <p>{fault ? errorText(fault) : t('stoppedByPerson', { handled, total })}</p>
          </Alert>
        ) : null}
        {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
      </Card>
      {failed > 0 ? (
        <section className="grid gap-2.5">
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
              <h3 className="text-section">{t('faults')}</h3>
              <p className="text-ink-second text-note">{t('faultsNote', { count: failed })}</p>
            </div>
            {/* the file may have as many rows as the batch job: the browser writes them to the disk as they arrive */}
            <a href={download} download className={buttonClasses({ variant: 'secondary', size: 'S' })}>
              <Download aria-hidden="true" className="size-4" />
              {t('download')}
            </a>
          </div>
          <RowFaults faults={faults} />
          {faults.length < failed ? (
            <p className="text-ink-second text-note">{t('faultsFirst', { shown: faults.length, count: failed })}</p>
          ) : null}
        </section>
      ) : null}
    </div>
  )
}

/** Rows that failed, or would fail: the number in the file, the person of the row, and what to do. */
export function RowFaults({ faults }: { faults: readonly BatchFault[] }) {
  const t = useTranslations('runs')
  const faultText = useFaultText()
  return (
    <ol className="overflow-clip rounded-card border border-line bg-surface">
      {faults.map(({ row, title, ...fault }) => (
        <li
          key={row}
          className="grid gap-x-5 gap-y-0.5 border-line border-t px-4 py-2.5 text-table first:border-t-0 @min-[34rem]:grid-cols-[6.5rem_minmax(0,2fr)_minmax(0,3fr)]"
        >
          <span className="text-ink-second tabular-nums max-@min-[34rem]:text-note">{t('row', { row })}</span>
          <span className="wrap-anywhere min-w-0 font-medium">
            {title || <span className="font-normal text-ink-second">{t('noTitle')}</span>}
          </span>
          <span className="wrap-anywhere min-w-0">{faultText(fault)}</span>
        </li>
      ))}
    </ol>
  )
}
