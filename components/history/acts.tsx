import { ChevronDown, LogIn, type LucideIcon, Pencil, Plus, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { wordsOf } from '@/lib/base/i18n/words'
import type { Act, ActOn, Change, Names } from '@/lib/operations/history/contract'
import { cn } from '../ui/cn'
import { DateTime } from '../ui/date-time'
import { Difference } from './difference'
import { shortId } from './shown-value'

type Props = {
  /** In the history of all objects, each event names its object. */
  acts: readonly (Act | ActOn)[]
  names: Names
}

const signs: Record<Act['type'], { Icon: LucideIcon; className: string }> = {
  create: { Icon: Plus, className: 'text-ok' },
  update: { Icon: Pencil, className: 'text-ink-second' },
  delete: { Icon: Trash2, className: 'text-danger' },
  login: { Icon: LogIn, className: 'text-ink-second' },
}

/**
 * Audit events by days, the newest first: who, what, from where, and unfolded the old and the new value of each field.
 */
export function Acts({ acts, names }: Props) {
  const format = useFormatter()
  const t = useTranslations('history.view')
  const dayOf = (moment: Date) => format.dateTime(moment, { day: 'numeric', month: 'long', year: 'numeric' })
  const now = new Date()
  const dayNames = new Map([
    [dayOf(now), t('today')],
    [dayOf(new Date(now.getTime() - 86_400_000)), t('yesterday')],
  ])
  const days = Map.groupBy(acts, ({ date }) => dayOf(new Date(date)))
  return (
    <div className="grid gap-5">
      {[...days].map(([day, ofDay]) => (
        <section key={day} className="grid gap-2">
          <h2 className="flex flex-wrap items-baseline gap-x-2 text-table">
            {dayNames.has(day) ? <span className="font-medium">{dayNames.get(day)}</span> : null}
            <span className={dayNames.has(day) ? 'text-ink-second' : 'font-medium'}>{day}</span>
          </h2>
          <ol className="divide-y divide-line overflow-clip rounded-card border border-line bg-surface">
            {ofDay.map((act) => (
              <li key={act.id} className="@container">
                <OneAct act={act} names={names} open={act === acts[0]} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

const wide = '@min-[40rem]:row-start-1'

/** One audit event; it unfolds to the changed fields. */
function OneAct({ act, names, open }: { act: Act | ActOn; names: Names; open: boolean }) {
  const t = useTranslations('history.view')
  const labelOf = useLabels()
  const { type, date, ip, changes } = act
  const { Icon, className } = signs[type]
  const object = 'object' in act ? act.object : null
  const words = wordsOf(useTranslations('history.view.actsOf'))
  const ofEntity = `${object?.entity}.${type}`
  const ownWords = words.has(ofEntity) ? ofEntity : null
  const head = (
    <>
      <Icon
        aria-hidden="true"
        className={cn('col-start-1 row-start-1 mt-0.5 size-4 @min-[40rem]:col-start-2', className)}
      />
      <span className="wrap-anywhere col-start-2 row-start-1 min-w-0 font-medium @min-[40rem]:col-start-3">
        {object?.own && object.path && changes.length === 0 ? (
          <CardLink path={object.path}>
            <Who who={act.who} />
          </CardLink>
        ) : (
          <Who who={act.who} />
        )}
      </span>
      <span className={cn('wrap-anywhere col-start-2 min-w-0 @min-[40rem]:col-start-4', wide)}>
        {object && !object.own ? (
          <span className="block">
            <ObjectName object={object} linked={changes.length === 0} />
          </span>
        ) : null}
        {ownWords ? words(ownWords) : t(`acts.${type}`, { count: changes.length })}
        {changes.length > 0 ? (
          <span className="text-ink-second">
            {': '}
            {[...new Set(changes.map((change) => labelOf(change)))].slice(0, 3).join(', ')}
            {changes.length > 3 ? ` ${t('andMore', { count: changes.length - 3 })}` : null}
          </span>
        ) : null}
      </span>
      <span className="col-start-2 flex flex-wrap gap-x-3 text-ink-second text-note @min-[40rem]:contents">
        <span className={cn('@min-[40rem]:col-start-1 @min-[40rem]:text-table', wide)}>
          <DateTime value={date} form="time" />
        </span>
        <span className={cn('wrap-anywhere font-mono text-note @min-[40rem]:col-start-5', wide)}>{ip}</span>
      </span>
    </>
  )
  const row =
    'grid grid-cols-[1rem_minmax(0,1fr)_1rem] items-start gap-x-3 gap-y-0.5 px-4 py-3 text-table @min-[40rem]:grid-cols-[4.25rem_1rem_minmax(8rem,11rem)_minmax(0,1fr)_auto_1rem] @min-[56rem]:grid-cols-[4.25rem_1rem_14rem_minmax(0,1fr)_auto_1rem]'
  if (changes.length === 0) return <div className={row}>{head}</div>
  return (
    <details open={open} className="group">
      <summary className={cn(row, 'cursor-pointer list-none outline-offset-[-2px]! hover:bg-sunken/60')}>
        {head}
        <ChevronDown
          aria-hidden="true"
          className="col-start-3 row-start-1 mt-0.5 size-4 text-ink-second transition-transform group-open:rotate-180 @min-[40rem]:col-start-6"
        />
      </summary>
      <div className="border-line border-t bg-sunken/50 py-1.5 pr-4 pl-11 @min-[40rem]:pl-[7.75rem]">
        {object?.path ? (
          <p className="py-2 text-table">
            <CardLink path={object.path}>{t('openCard')}</CardLink>
          </p>
        ) : null}
        <dl className="@container divide-y divide-line">
          {changes.map((change) => (
            <Difference key={change.field} change={change} label={labelOf(change)} names={names} act={type} />
          ))}
        </dl>
      </div>
    </details>
  )
}

function CardLink({ path, children }: { path: string; children: ReactNode }) {
  return (
    <Link prefetch={false} href={path} className="text-brand underline underline-offset-3">
      {children}
    </Link>
  )
}

/** The changed object: its kind, and its name, or its id if it has no name. */
function ObjectName({ object: { entity, id, name, path }, linked }: { object: ActOn['object']; linked: boolean }) {
  const t = useTranslations('history')
  if (name)
    return (
      <>
        {t(`entities.${entity}`)}{' '}
        {linked && path ? <CardLink path={path}>{name}</CardLink> : <span className="font-medium">{name}</span>}
      </>
    )
  return (
    <>
      {t(`entities.${entity}`)}{' '}
      <span className="wrap-anywhere font-mono text-ink-second text-note" title={id}>
        {shortId(id)}
      </span>
    </>
  )
}

function Who({ who }: { who: Act['who'] }) {
  const t = useTranslations('history.view')
  if (who.kind === 'platform') return t('platform')
  if (who.kind === 'unknown') return <span className="font-mono font-normal text-note">{who.name}</span>
  return who.name
}

/** Returns a function that names a changed field; a field that no entity declares any more has its stored name. */
function useLabels() {
  const t = wordsOf(useTranslations())
  return ({ title, label, field }: Change) => title ?? (label && t.has(label) ? t(label) : field)
}
