import { useTranslations } from 'next-intl'
import { CardSkeleton } from '@/components/card/card-skeleton'
import { HistorySkeleton } from '@/components/history/history-skeleton'
import { TableSkeleton } from '@/components/list/table-skeleton'
import { Guilloche } from '@/components/look/guilloche'
import { Alert } from '@/components/ui/alert'
import { Avatar } from '@/components/ui/avatar'
import { CopyButton } from '@/components/ui/copy-button'
import { DateTime } from '@/components/ui/date-time'
import { EmptyState } from '@/components/ui/empty-state'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Mono } from '@/components/ui/mono'
import { Pill } from '@/components/ui/pill'
import { Progress } from '@/components/ui/progress'
import { Skeleton } from '@/components/ui/skeleton'
import { TextLink } from '@/components/ui/text-link'
import { PartFailedExample } from './tried'

const grounds = ['paper', 'surface', 'sunken', 'line', 'line-strong', 'line-field', 'ink', 'ink-second']
const accents = ['brand', 'ok', 'warning', 'danger', 'info']
const tones = ['neutral', 'ok', 'warning', 'danger', 'info'] as const

export function Colors() {
  return (
    <ul className="grid grid-cols-2 gap-3 text-note @min-[28rem]:grid-cols-3 @min-[56rem]:grid-cols-4">
      {[...grounds, ...accents.flatMap((name) => [name, `${name}-tint`])].map((name) => (
        <li key={name} className="flex items-center gap-2">
          <span
            aria-hidden="true"
            className="size-8 shrink-0 rounded-control border border-line"
            style={{ background: `var(--${name})` }}
          />
          <span className="font-mono">{name}</span>
        </li>
      ))}
    </ul>
  )
}

export function TypeSizes() {
  const t = useTranslations('gallery.type')
  return (
    <div className="grid gap-3">
      <p className="text-title">{t('title')}</p>
      <p className="text-section">{t('section')}</p>
      <p>{t('body')}</p>
      <p className="text-table">{t('table')}</p>
      <p className="text-ink-second text-note">{t('note')}</p>
    </div>
  )
}

export function Statuses() {
  const t = useTranslations('gallery.statuses')
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap gap-2">
        {tones.map((tone) => (
          <Pill key={tone} tone={tone}>
            {t(tone)}
          </Pill>
        ))}
      </div>
      {tones.slice(1).map((tone) => (
        <Alert key={tone} tone={tone as Exclude<typeof tone, 'neutral'>} title={t('title')}>
          <p>
            {t('text')} <TextLink href="#fields">{t('fill')}</TextLink>
          </p>
        </Alert>
      ))}
    </div>
  )
}

export function Values() {
  const t = useTranslations('gallery.values')
  return (
    <div className="grid max-w-[34rem] gap-4">
      <div className="relative isolate flex items-center gap-4 overflow-clip rounded-card bg-brand-tint px-5 py-5">
        <Guilloche form="rosette" className="-right-24 top-1/2 -z-10 w-64 -translate-y-1/2 opacity-60" />
        <Avatar size="L" initials="АП" className="bg-surface!" />
        <p className="font-semibold text-section">{t('nameValue')}</p>
      </div>
      <KeyValues>
        <KeyValue label={t('name')}>{t('nameValue')}</KeyValue>
        <KeyValue label={t('email')}>
          a.petrova@polaris.example <Pill tone="ok">{t('verified')}</Pill>
        </KeyValue>
        <KeyValue label={t('mobile')} missing={t('missing')} />
        <KeyValue label={t('comment')} />
        <KeyValue label={t('id')} action={<CopyButton what={t('id')} value="warehouse-portal" />}>
          <Mono>warehouse-portal</Mono>
        </KeyValue>
        <KeyValue label={t('session')}>
          <DateTime form="full" value="2026-11-19T11:02:00Z" />
        </KeyValue>
      </KeyValues>
      <div className="flex items-center gap-3">
        <Avatar size="S" initials="АП" />
        <Avatar initials="ИК" />
        <Avatar size="L" initials="МС" />
      </div>
    </div>
  )
}

export function EmptyStates() {
  const t = useTranslations('ui.list')
  return (
    <div className="grid gap-4">
      <EmptyState title={t('emptyTitle')} text={t('emptyText')} />
      <EmptyState title={t('noneTitle')} text={t('noneText')} />
      <PartFailedExample />
    </div>
  )
}

export function ProgressSamples() {
  const t = useTranslations('gallery.waiting')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Progress label={t('sync')} done={320} total={500} />
      <Progress label={t('connecting')} done={0} />
      <div className="grid gap-2">
        <Skeleton className="w-60" />
        <Skeleton className="w-40" />
      </div>
      <TableSkeleton columns={4} rows={3} />
      <CardSkeleton />
      <HistorySkeleton />
    </div>
  )
}
