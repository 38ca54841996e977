import { useTranslations } from 'next-intl'
import type { BatchJob } from '@/lib/base/batch-jobs/contracts'
import { Pill } from '../ui/pill'

const tones = { running: 'info', stopped: 'warning', done: 'ok' } as const

/** The state of a batch job. One that ended with failed rows has another tone than one without. */
export function RunPill({ run: { state, failed } }: { run: Pick<BatchJob, 'state' | 'failed'> }) {
  const t = useTranslations('runs')
  if (state === 'done' && failed > 0) return <Pill tone="warning">{t('partly', { count: failed })}</Pill>
  return <Pill tone={tones[state]}>{t(`states.${state}`)}</Pill>
}
