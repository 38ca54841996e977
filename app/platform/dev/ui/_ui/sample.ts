import { z } from 'zod'
import { line } from '@/lib/base/contracts/contract'
import { listQuery, many, yesNoFilter } from '@/lib/base/lists/lists'
import { isFound } from '@/lib/base/lists/search-form'

export const uses = ['whitelist', 'network', 'blacklist'] as const
type Use = (typeof uses)[number]
export type SampleRow = { id: string; name: string; addresses: string[]; usedIn: Use | null; changed: Date }

/** The query of the example, with every kind of filter that a list can have. */
export const SampleQuery = listQuery({
  filters: {
    search: line().optional(),
    used: yesNoFilter().optional(),
    usedIn: many(z.enum(uses)).optional(),
    subnet: line().optional(),
    changedFrom: z.iso.date('errorFormat').optional(),
    changedTo: z.iso.date('errorFormat').optional(),
  },
  sorts: ['name', 'usedIn', 'changed'],
  defaultSort: { by: 'name', order: 'asc' },
  cursor: true,
})

const first: [name: string, usedIn: Use | null, changed: string, addresses: string[]][] = [
  [
    'Офис, Череповец',
    'whitelist',
    '2026-11-19T11:02:00Z',
    ['10.12.0.0/16', '185.34.20.8', '10.1.0.1', '10.1.0.2', '10.1.0.3', '10.1.0.4'],
  ],
  ['Обратные прокси', 'network', '2026-11-03T06:40:00Z', ['10.0.3.10', '10.0.3.11']],
  ['Подрядчик «Монтаж-7»', null, '2026-10-28T15:15:00Z', ['91.207.60.0/24']],
  ['Сканеры уязвимостей', 'blacklist', '2026-10-12T08:31:00Z', ['2a02:6b8::/32', '45.9.20.0/22']],
  ['VPN удалённых сотрудников', 'whitelist', '2026-10-01T05:00:00Z', ['10.200.0.0/14']],
]
const sites = ['Склад', 'Цех', 'Лаборатория', 'Диспетчерская']
const rows: SampleRow[] = [
  ...first.map(([name, usedIn, changed, addresses]) => ({ name, usedIn, changed: new Date(changed), addresses })),
  ...Array.from({ length: 32 }, (_, index) => ({
    name: `${sites[index % sites.length]} ${1 + Math.floor(index / sites.length)}`,
    usedIn: index % 3 === 0 ? null : (uses[index % uses.length] ?? null),
    changed: new Date(Date.UTC(2026, 8, 1 + (index % 28), 7, index)),
    addresses: [`10.20.${index}.0/24`],
  })),
].map((row, index) => ({ ...row, id: String(index + 1) }))

/** Returns one page of the sample rows, by the rules that lists follow in the database. */
export function sampleAliases({ filter, sortBy, sort, page, perPage = 20, ...place }: z.output<typeof SampleQuery>) {
  const matching = rows.filter(({ name, addresses, usedIn, changed }) => {
    const day = changed.toISOString().slice(0, 10)
    return (
      (!filter.search || isFound(filter.search, [`${name} ${addresses.join(' ')}`])) &&
      (filter.used === undefined || filter.used === (usedIn !== null)) &&
      (!filter.usedIn || (usedIn !== null && filter.usedIn.includes(usedIn))) &&
      (!filter.subnet || addresses.some((address) => address.startsWith(filter.subnet ?? ''))) &&
      (!filter.changedFrom || day >= filter.changedFrom) &&
      (!filter.changedTo || day <= filter.changedTo)
    )
  })
  const value = (row: SampleRow) => (sortBy === 'changed' ? row.changed.toISOString() : (row[sortBy] ?? ''))
  const ordered = matching.toSorted((a, b) => (sort === 'asc' ? 1 : -1) * value(a).localeCompare(value(b), 'ru'))
  const total = matching.length
  // sample rows never change, so the id alone is enough for a cursor
  const placeOf = (cursor: string) => ordered.findIndex(({ id }) => id === cursor)
  const byCursor = place.after !== undefined || place.before !== undefined
  const beginning = place.before === undefined ? (page - 1) * perPage : Math.max(0, placeOf(place.before) - perPage)
  const start = place.after === undefined ? beginning : placeOf(place.after) + 1
  const aliases = ordered.slice(start, place.before === undefined ? start + perPage : placeOf(place.before))
  return {
    aliases,
    meta: {
      ...(byCursor ? {} : { page, pages: Math.ceil(total / perPage) }),
      perPage,
      total,
      after: start + aliases.length < total ? (aliases.at(-1)?.id ?? null) : null,
      before: start > 0 ? (aliases[0]?.id ?? null) : null,
    },
  }
}
