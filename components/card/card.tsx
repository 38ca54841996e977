import { Eye } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { StreamedPart } from '../hydration/streamed-part'
import { Guilloche } from '../look/guilloche'
import { PageName } from '../shell/page-name'
import { cn } from '../ui/cn'
import { LinkTabs } from '../ui/link-tabs'
import { PagePart } from '../ui/page-part'
import { CardSkeleton } from './card-skeleton'

type HeaderProps = {
  title: string
  /** The name of the object that contains this one, for the breadcrumbs. */
  above?: string
  /** A picture of the kind of thing, or initials. */
  tile: ReactNode
  /** Its state, as a Pill. */
  state?: ReactNode
  /** Short facts that distinguish it from others, in one line. Empty ones are left out. */
  facts?: readonly ReactNode[]
  /** CardActions; left out for people who may only read. */
  actions?: ReactNode
  /** Replaces the actions for people who may only read. */
  readOnly?: ReactNode
  /** The card of a person, on the guilloche as in a passport. No other card has it. */
  person?: boolean
}

/** The top of a card: its title, its state, one line of facts, and its actions. */
function CardHeader({ title, tile, state, facts = [], actions, readOnly, person = false }: HeaderProps) {
  const shownFacts = facts.filter((fact) => fact !== null && fact !== undefined && fact !== false && fact !== '')
  return (
    <header
      className={cn(
        // an open menu covers the tabs below
        'relative isolate z-1 flex flex-wrap items-center gap-x-6 gap-y-4',
        // a menu without a button stands at the corner of a phone, as in the cards of a list
        'max-[40rem]:has-data-lone:flex-nowrap max-[40rem]:has-data-lone:items-start max-[40rem]:has-data-lone:gap-x-2',
        person && 'rounded-card bg-brand-tint p-4 @min-[40rem]:px-5 @min-[56rem]:pr-44',
      )}
    >
      {person ? (
        <div aria-hidden="true" className="absolute inset-0 -z-10 hidden overflow-clip rounded-card @min-[56rem]:block">
          <Guilloche form="rosette" className="top-1/2 -right-16 w-56 -translate-y-1/2" />
        </div>
      ) : null}
      <div className="flex min-w-0 grow items-start gap-4 @min-[40rem]:items-center">
        <span
          aria-hidden="true"
          className={cn(
            'flex size-12 shrink-0 select-none items-center justify-center overflow-clip bg-brand-tint font-semibold text-brand text-section @min-[40rem]:size-14 @min-[40rem]:text-title [&_svg]:size-6',
            person ? 'rounded-full bg-surface uppercase' : 'rounded-card',
          )}
        >
          {tile}
        </span>
        <div className="grid min-w-0 gap-0.5">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="wrap-anywhere min-w-0 text-title">{title}</h1>
            {state}
          </div>
          {shownFacts.length > 0 ? (
            // the dot before the first fact of a line is cut off
            <p className="wrap-anywhere overflow-x-clip text-ink-second text-table">
              <span className="-ml-5 flex flex-wrap">
                {shownFacts.map((fact, index) => (
                  <span
                    // biome-ignore lint/suspicious/noArrayIndexKey: the facts of one card have no other key
                    key={index}
                    className="relative min-w-0 pl-5 before:absolute before:left-1 before:w-3 before:text-center before:content-['·'/'']"
                  >
                    {fact}
                  </span>
                ))}
              </span>
            </p>
          ) : null}
        </div>
      </div>
      {actions ?? (readOnly ? <ReadOnly>{readOnly}</ReadOnly> : null)}
    </header>
  )
}

function ReadOnly({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-center gap-2 text-ink-second text-table">
      <Eye aria-hidden="true" className="size-4 shrink-0" />
      {children}
    </p>
  )
}

type CardTab = {
  href: string
  label: string
  /** How many things there are; null if they weren't counted. */
  count?: number | null
  /** How many things wait for the reader. */
  badge?: number | null
}

type CardProps = HeaderProps & {
  /** Those that the person may open, in their order; `current` is the address of the open tab. */
  tabs?: readonly CardTab[]
  current?: string
  /** The open tab. It is read separately from the card, and its failure doesn't affect the card. */
  children: ReactNode
  /** The placeholder until it is read; by default groups of facts. */
  fallback?: ReactNode
}

/** A card: its header, its tabs, each with its address, and the open tab. */
export function Card({ tabs = [], current = '', children, fallback = <CardSkeleton />, ...header }: CardProps) {
  const t = useTranslations('ui.card')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageName name={header.title} above={header.above} />
      <CardHeader {...header} />
      {tabs.length > 1 ? <LinkTabs tabs={tabs} current={current} label={t('tabs')} /> : null}
      <div className="pt-1">
        <PagePart key={current}>
          <StreamedPart fallback={fallback}>{children}</StreamedPart>
        </PagePart>
      </div>
    </div>
  )
}

/** Groups of facts, with short facts beside them. On a narrow page the short facts are below, in two columns. */
export function CardColumns({ children, side }: { children: ReactNode; side?: ReactNode }) {
  return (
    <div
      className={cn(
        'grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-7',
        side && '@min-[64rem]:grid-cols-[minmax(0,1fr)_20rem] @min-[64rem]:items-start',
      )}
    >
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-7">{children}</div>
      {side ? (
        // each column has its own height, so that a short group leaves no gap above the next one
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-7 @min-[40rem]:block @min-[40rem]:columns-2 @min-[40rem]:has-[>:only-child]:columns-1 @min-[64rem]:grid @min-[40rem]:*:mb-7 @min-[64rem]:*:mb-0 @min-[40rem]:*:break-inside-avoid">
          {side}
        </div>
      ) : null}
    </div>
  )
}
