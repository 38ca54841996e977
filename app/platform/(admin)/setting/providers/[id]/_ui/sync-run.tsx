'use client'

import { CircleAlert, CircleCheck, CirclePlay, CircleStop, Download, Hand, LoaderCircle } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useLength } from '@/components/batch-job/run-log'
import { RunPill } from '@/components/batch-job/run-pill'
import { useFaultText } from '@/components/batch-job/use-fault-text'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'
import { useErrorText } from '@/components/form/use-error-text'
import { buttonClasses } from '@/components/ui/button-classes'
import { Card } from '@/components/ui/card'
import { cn } from '@/components/ui/cn'
import { DateTime } from '@/components/ui/date-time'
import { Progress } from '@/components/ui/progress'
import { TextLink } from '@/components/ui/text-link'
import { callAddress } from '@/lib/base/http/client'
import type { SyncFault, SyncRun } from '@/lib/directory-sync/provider-sync/contract'
import { RunRowsButton } from './run-rows-button'

type Props = { run: SyncRun; faults: readonly SyncFault[]; mayWrite: boolean; path: string; onChanged: () => void }

const calls = () => import('@/lib/directory-sync/provider-sync/contract')

type Mark = 'done' | 'partly' | 'going' | 'waits' | 'failed'
const marks = {
  done: { Icon: CircleCheck, look: 'text-brand' },
  partly: { Icon: CircleAlert, look: 'text-warning' },
  going: { Icon: LoaderCircle, look: 'text-brand motion-safe:animate-spin' },
  waits: { Icon: Hand, look: 'text-warning' },
  failed: { Icon: CircleAlert, look: 'text-danger' },
}

/** A phase of the batch job: its state and its content. */
function Phase({ mark, title, children }: { mark: Mark; title: string; children?: ReactNode }) {
  const { Icon, look } = marks[mark]
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3.5 gap-y-1 border-line border-t py-3 first:border-t-0 first:pt-0 last:pb-0">
      <Icon aria-hidden="true" className={cn('mt-0.5 size-5', look)} />
      <div className="grid min-w-0 gap-2">
        <h3 className="font-medium text-table">{title}</h3>
        {children}
      </div>
    </li>
  )
}

/** Whether a batch job waits for a decision on what people would lose. */
const isLosing = ({ state, fault, phase }: SyncRun) =>
  state === 'stopped' && phase === 'write' && fault === 'syncLossGuard'

/** The phases of a batch job: reading people, writing them, and handling those who are missing in the directory. */
function Phases({ run, mayWrite, onChanged }: Pick<Props, 'run' | 'mayWrite' | 'onChanged'>) {
  const t = useTranslations('provider-sync')
  const errorText = useErrorText()
  const { id, state, phase, read, pages, off, gone, known, total, done, failed, counts, fault, noted, losses } = run
  const reading = phase === 'read'
  const losing = isLosing(run)
  const broken = state === 'stopped' && phase !== 'guard' && !losing
  const markOf = (active: boolean): Mark => (active ? (broken ? 'failed' : 'going') : 'done')
  const faultNote = broken ? <p className="text-table">{fault ? errorText(fault) : t('stopped')}</p> : null
  const decide = (body: { disable?: 'all' | 'none'; losses?: 'all' | 'none' }) =>
    sends(
      () => calls().then((contracts) => contracts.resumeProviderRun),
      { params: { id }, body },
      { onDone: onChanged },
    )
  return (
    <ol>
      <Phase mark={markOf(reading)} title={t(reading ? 'reading' : 'wasRead', { count: read })}>
        <p className="text-ink-second text-note">{t('pages', { pages, off })}</p>
        {reading ? faultNote : null}
      </Phase>
      {losing ? (
        <Phase mark="waits" title={t('lossTitle')}>
          <p className="text-table">{t('lossText')}</p>
          <ul className="list-disc ps-5 text-table">
            {losses.map(({ title, lost, having }) => (
              <li key={title}>{t('lossOf', { title, lost, having })}</li>
            ))}
          </ul>
          {mayWrite ? (
            <div className="flex flex-wrap items-center gap-2">
              <ActionButton
                action={{ kind: 'call', label: t('lossKeep'), icon: CirclePlay, sends: decide({ losses: 'none' }) }}
              />
              <ActionButton
                action={{
                  kind: 'confirm',
                  label: t('lossTake'),
                  icon: CircleStop,
                  tone: 'danger',
                  verb: t('lossVerb'),
                  ask: { title: t('lossAsk'), text: t('lossAskText'), tone: 'danger' },
                  sends: decide({ losses: 'all' }),
                }}
              />
            </div>
          ) : null}
        </Phase>
      ) : null}
      {reading || losing ? null : (
        <Phase
          mark={phase !== 'write' && failed + noted > 0 ? 'partly' : markOf(phase === 'write' && state !== 'done')}
          title={t(phase === 'write' ? 'writing' : 'written')}
        >
          {phase === 'write' && state === 'running' ? (
            <Progress label={t('counts', { ...counts, failed })} done={done + failed} total={total} />
          ) : (
            <p className="text-ink-second text-note">{t('counts', { ...counts, failed })}</p>
          )}
          {phase === 'write' ? faultNote : null}
        </Phase>
      )}
      {phase === 'guard' ? (
        <Phase mark="waits" title={t('guardTitle')}>
          <p className="text-table">
            {t('guardText', { gone, share: known > 0 ? Math.round((1_000 * gone) / known) / 10 : 100 })}
          </p>
          <div className="flex flex-wrap items-center gap-2">
            <RunRowsButton id={id} action="waiting" label={t('guardLook', { gone })} button />
            {mayWrite ? (
              <>
                <ActionButton
                  action={{ kind: 'call', label: t('guardKeep'), icon: CirclePlay, sends: decide({ disable: 'none' }) }}
                />
                <ActionButton
                  action={{
                    kind: 'confirm',
                    label: t('guardDisable', { gone }),
                    icon: CircleStop,
                    tone: 'danger',
                    verb: t('guardVerb'),
                    ask: { title: t('guardAsk', { gone }), text: t('guardAskText'), tone: 'danger' },
                    sends: decide({ disable: 'all' }),
                  }}
                />
              </>
            ) : null}
          </div>
        </Phase>
      ) : null}
      {phase === 'disable' || (phase === 'done' && gone > 0) ? (
        <Phase
          mark={markOf(phase === 'disable' && state !== 'done')}
          title={t('disabling', { gone, disabled: counts.disabled })}
        >
          {phase === 'disable' ? faultNote : null}
        </Phase>
      ) : null}
    </ol>
  )
}

/** A synchronization's batch job, phase by phase, and the people who were not written. */
export function SyncRunView({ run, faults, mayWrite, path, onChanged }: Props) {
  const [t, tRuns] = [useTranslations('provider-sync'), useTranslations('runs')]
  const length = useLength()
  const { id, state, phase, failed, noted, trigger, starter } = run
  const input = { params: { id } }
  return (
    <div className="@container grid grid-cols-[minmax(0,1fr)] gap-7">
      <Card className="grid gap-4">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="text-section">{t(run.dry ? 'trialRun' : 'run')}</h2>
            <RunPill run={run} />
            <span className="text-ink-second text-note">
              {trigger === 'manual' && starter ? t('by', { starter }) : t(`triggers.${trigger}`)}{' '}
              <DateTime value={run.date} />
            </span>
          </div>
          <dl className="flex flex-wrap gap-x-5 gap-y-1 text-table tabular-nums">
            <div className="flex gap-2">
              <dt className="text-ink-second">{tRuns(state === 'running' ? 'worked' : 'took')}</dt>
              <dd>{length(run.worked)}</dd>
            </div>
            {run.left === null ? null : (
              <div className="flex gap-2">
                <dt className="text-ink-second">{tRuns('left')}</dt>
                <dd>{tRuns('about', { time: length(run.left) })}</dd>
              </div>
            )}
          </dl>
        </div>
        <Phases run={run} mayWrite={mayWrite} onChanged={onChanged} />
        {mayWrite && state === 'running' ? (
          <div>
            <ActionButton
              action={{
                kind: 'call',
                label: tRuns('stop'),
                icon: CircleStop,
                sends: sends(() => calls().then((contracts) => contracts.stopProviderRun), input, {
                  onDone: onChanged,
                }),
              }}
            />
          </div>
        ) : null}
        {mayWrite && state === 'stopped' && phase !== 'guard' && !isLosing(run) ? (
          <div>
            <ActionButton
              action={{
                kind: 'call',
                label: tRuns('resume'),
                icon: CirclePlay,
                sends: sends(
                  () => calls().then((contracts) => contracts.resumeProviderRun),
                  { ...input, body: {} },
                  { onDone: onChanged },
                ),
              }}
            />
          </div>
        ) : null}
      </Card>
      {failed + noted > 0 ? <Faults run={run} faults={faults} path={path} /> : null}
    </div>
  )
}

/** The people who were not written, or not completely, with the reason, and where it can be corrected. */
function Faults({ run, faults, path }: Pick<Props, 'run' | 'faults' | 'path'>) {
  const [t, tRuns] = [useTranslations('provider-sync'), useTranslations('runs')]
  const faultText = useFaultText()
  const { id, failed, noted } = run
  const people = new Set(faults.map(({ row }) => row)).size
  return (
    <section className="grid gap-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <h2 className="text-section">{tRuns('faults')}</h2>
          <p className="text-ink-second text-note">
            {[
              failed > 0 ? t('faultsNote', { count: failed }) : null,
              noted > 0 ? t('notedNote', { count: noted }) : null,
            ]
              .filter(Boolean)
              .join('. ')}
          </p>
        </div>
        {/* the file may have as many rows as the batch job: the browser writes them to the disk as they arrive */}
        <a
          href={callAddress('/setting/providers/runs/{id}/faults', { params: { id } })}
          download
          className={buttonClasses({ variant: 'secondary', size: 'S' })}
        >
          <Download aria-hidden="true" className="size-4" />
          {tRuns('download')}
        </a>
      </div>
      <ol className="overflow-clip rounded-card border border-line bg-surface">
        {faults.map(({ row, title, externalId, written, ...fault }) => (
          <li
            key={`${row} ${fault.code} ${fault.params.column}`}
            className="grid gap-x-5 gap-y-0.5 border-line border-t px-4 py-2.5 text-table first:border-t-0 @min-[34rem]:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto]"
          >
            <span className="wrap-anywhere grid min-w-0 font-medium">
              {title}
              {title === externalId ? null : (
                <span className="font-mono font-normal text-ink-second text-note">{externalId}</span>
              )}
            </span>
            <span className="wrap-anywhere min-w-0">
              {faultText(fault)}
              {written ? <span className="block text-ink-second text-note">{t('writtenWithout')}</span> : null}
            </span>
            {fault.params.column ? <TextLink href={`${path}?tab=mappers`}>{t('openMappers')}</TextLink> : <span />}
          </li>
        ))}
      </ol>
      {people < failed + noted ? (
        <p className="text-ink-second text-note">{tRuns('faultsFirst', { shown: people, count: failed + noted })}</p>
      ) : null}
    </section>
  )
}
