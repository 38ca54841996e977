import { useFormatter, useTranslations } from 'next-intl'
import type { BatchJob } from '@/lib/base/batch-jobs/contracts'
import { Button } from '../ui/button'
import { DateTime } from '../ui/date-time'

type Props = {
  runs: readonly BatchJob[]
  /** The heading: what the batch jobs did. */
  title: string
  /** The level of the heading; by default that of a page’s section. */
  level?: 2 | 3
  onShow: (id: string) => void
}

/**
 * The five newest batch jobs of a person, with their outcome. Each can be opened. Renders nothing if there are none.
 */
export function PastRuns({ runs, title, level = 2, onShow }: Props) {
  const t = useTranslations('runs')
  const format = useFormatter()
  if (runs.length === 0) return null
  return (
    <section className="grid gap-2.5">
      {level === 2 ? <h2 className="text-section">{title}</h2> : <h3 className="font-medium text-table">{title}</h3>}
      <ul className="rounded-card border border-line bg-surface">
        {runs.slice(0, 5).map((run) => (
          <li
            key={run.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t px-4 py-2 text-table first:border-t-0"
          >
            <span className="min-w-32 shrink-0">
              <DateTime value={run.date} />
            </span>
            <span className="text-ink-second tabular-nums">
              {t(`states.${run.state}`)}, {t('ofAll', { done: run.done, total: run.total })}
            </span>
            <Button
              variant="quiet"
              size="S"
              className="-mr-3 ml-auto"
              aria-label={t('showOf', {
                date: format.dateTime(new Date(run.date), { dateStyle: 'long', timeStyle: 'short' }),
              })}
              onClick={() => onShow(run.id)}
            >
              {t('show')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
