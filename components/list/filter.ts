import type { useFormatter, useTranslations } from 'next-intl'
import type { ListAddress } from '@/lib/base/lists/list-address'
import type { RemoteName } from '../form/use-remote'
import type { Option } from '../form/use-search'
import { filterValues } from './list-link'

/** A filter of a list. `name` is its name in the contract; a range of dates has two. */
export type ListFilter = { name: string; label: string } & (
  | { kind: 'choice'; options: readonly Option[] }
  | { kind: 'many'; options: readonly Option[] }
  | { kind: 'yesNo' }
  | { kind: 'text'; hint?: string }
  | { kind: 'dates'; from: string; to: string }
  /** Options that the server searches, below `fixed` ones; `chosen` are those in the address, with their labels. */
  | {
      kind: 'remote'
      of: RemoteName
      given?: Readonly<Record<string, string>>
      fixed?: readonly Option[]
      chosen: readonly Option[]
    }
)

/** Returns the names in the contract that a filter sets. */
export const filterNames = (filter: ListFilter): string[] =>
  filter.kind === 'dates' ? [filter.from, filter.to] : [filter.name]

type Words = { t: ReturnType<typeof useTranslations<'ui.list'>>; format: ReturnType<typeof useFormatter> }

/** Returns the value of a filter as text, or null if it is empty. */
export function filterText(filter: ListFilter, address: ListAddress, { t, format }: Words): string | null {
  const values = filterNames(filter).map((name) => filterValues(address, name))
  const allValues = values.flat()
  const [first] = allValues
  if (first === undefined) return null
  const several = (options: readonly Option[]) => {
    const label = options.find(({ value }) => value === first)?.label ?? first
    return allValues.length > 1 ? t('andMore', { value: label, rest: allValues.length - 1 }) : label
  }
  switch (filter.kind) {
    case 'text':
      return first
    case 'yesNo':
      return first === 'true' ? t('yes') : t('no')
    case 'dates': {
      const day = (value: string | undefined) => {
        const moment = new Date(`${value}T00:00:00Z`)
        if (Number.isNaN(moment.getTime())) return value ?? ''
        return format.dateTime(moment, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
      }
      const [[from], [to]] = [values[0] ?? [], values[1] ?? []]
      return [from && t('since', { date: day(from) }), to && t('until', { date: day(to) })].filter(Boolean).join(' ')
    }
    case 'remote':
      return several([...(filter.fixed ?? []), ...filter.chosen])
    default:
      return several(filter.options)
  }
}
