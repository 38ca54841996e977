import { useTranslations } from 'next-intl'
import type { ListAddress } from '@/lib/base/lists/list-address'
import { pageSizes } from '@/lib/base/lists/page-sizes'
import { buttonClasses } from '../ui/button-classes'
import { cn } from '../ui/cn'
import { ListLink } from './list'
import { type ListChange, listHref } from './list-link'
import { PageSize } from './page-size'

/** The `meta` of a list's answer, for page numbers or for a cursor. */
export type PagerMeta = {
  perPage: number
  page?: number | undefined
  pages?: number | undefined
  total?: number | undefined
  /** Whether there are more rows than `total`. */
  more?: boolean | undefined
  after?: string | null
  before?: string | null
}

type ListTexts = ReturnType<typeof useTranslations<'ui.list'>>

/** Returns how many rows a list has, or “more than …”; an empty text if they weren't counted. */
export function countText(t: ListTexts, { total, more }: PagerMeta, kind: 'found' | 'total'): string {
  if (total === undefined) return ''
  return t(more ? (kind === 'found' ? 'foundMore' : 'totalMore') : kind, { count: total })
}

/** Returns whether a list fits on a page of any size, so that it needs neither pages nor a page size. */
const isShort = ({ total, more, before, after }: PagerMeta): boolean =>
  total !== undefined && !more && !before && !after && total <= pageSizes[0]

/** A link of the pager. An impossible step links to the current page, so that the link keeps the focus. */
function Step({ address, change, here, label }: StepProps) {
  return (
    <ListLink
      otherRows
      href={listHref(address, change ?? here)}
      aria-disabled={change ? undefined : true}
      className={cn(
        buttonClasses({ variant: 'secondary', size: 'S' }),
        // colors instead of opacity: a focus ring on it must stay fully visible
        !change && 'pointer-events-none border-line! bg-transparent! text-ink-second/60!',
      )}
    >
      {label}
    </ListLink>
  )
}
type StepProps = { address: ListAddress; change: ListChange | null; here: ListChange; label: string }

type Props = {
  address: ListAddress
  meta: PagerMeta
  /** Uses cursors even if the page number is known. */
  cursor?: boolean
  /** The pager's name, for pages with several. */
  label?: string
  /** The names of the steps, if “back” and “forward” aren't clear enough. */
  steps?: { back: string; forward: string } | undefined
  /** Whether the total is already above the rows. */
  counted?: boolean
}

/** Returns the change of a list that keeps the place in its address: a cursor, or a page number. */
function placeIn({ search }: ListAddress): ListChange {
  const parameters = new URLSearchParams(search)
  const [after, before] = [parameters.get('meta[after]'), parameters.get('meta[before]')]
  if (after) return { after }
  return before ? { before } : { page: Number(parameters.get('meta[page]')) || 1 }
}

/**
 * The page size, and links back and forward. With page numbers it shows which rows of how many are visible; with a
 * cursor it shows the total, if the rows were counted. A list that fits on the smallest page has only its count.
 */
export function Pager({ address, meta, cursor = false, label, steps, counted = false }: Props) {
  const t = useTranslations('ui.list')
  const { page, perPage, total = 0, pages = 0, after, before } = meta
  const byCursor = cursor || page === undefined
  const from = byCursor ? 1 : (page - 1) * perPage + 1
  if (byCursor ? !after && !before && total <= pageSizes[0] : total === 0 || from > total) return null
  const range = byCursor ? '' : t('range', { from, to: Math.min(page * perPage, total), total })
  if (isShort(meta)) return counted ? null : <p className="text-ink-second text-table tabular-nums">{range}</p>
  const place = placeIn(address)
  const pageChange = (number: number): ListChange | null => (number >= 1 && number <= pages ? { page: number } : null)
  const [back, forward] = byCursor
    ? [before ? { before } : null, after ? { after } : null]
    : [pageChange(page - 1), pageChange(page + 1)]
  return (
    <nav aria-label={label ?? t('pages')} className="flex flex-wrap items-center gap-2 text-ink-second text-table">
      <p className="mr-auto tabular-nums">{byCursor ? (counted ? null : countText(t, meta, 'total')) : range}</p>
      <div className="print:hidden">
        <PageSize address={address} perPage={perPage} />
      </div>
      <div className="flex gap-2 print:hidden @max-[28rem]:w-full @max-[28rem]:*:flex-1">
        <Step address={address} change={back} here={place} label={steps?.back ?? t('back')} />
        <Step address={address} change={forward} here={place} label={steps?.forward ?? t('forward')} />
      </div>
    </nav>
  )
}
