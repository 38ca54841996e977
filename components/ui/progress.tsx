import { useTranslations } from 'next-intl'

/** Progress: `done` of `total`, as a bar and as numbers. Without a total the bar is indeterminate. */
export function Progress({ label, done, total }: { label: string; done: number; total?: number }) {
  const t = useTranslations('ui')
  const hasTotal = total !== undefined && total > 0
  return (
    <div className="grid gap-1.5">
      <div className="flex justify-between gap-4 text-note">
        <span>{label}</span>
        {hasTotal ? <span className="text-ink-second tabular-nums">{t('progress', { done, total })}</span> : null}
      </div>
      <progress
        aria-label={label}
        value={hasTotal ? Math.min(done, total) : undefined}
        max={hasTotal ? total : undefined}
        className="progress"
      />
    </div>
  )
}
