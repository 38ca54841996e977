import pg from 'pg'
import { pages } from './cases'
import { type Measured, measure, send } from './load'

const path = '/api/v1/platform/setting/history'
/** How many rows the history has. */
export const size = Number(process.env.ROWS ?? 5_000_000)
const perPage = 'meta[perPage]=20'

/** What an administrator asks of the whole history. */
const uses = {
  'page 1': `?${perPage}`,
  'the last page': null,
  'a rare address': `?filter[ip]=198.51.100.200&${perPage}`,
  'a rare kind of object': `?filter[entity]=device-types&${perPage}`,
  'a day long ago': `?filter[dateFrom]=2020-06-01&filter[dateTo]=2020-06-01&${perPage}`,
  'an object by its id': `?filter[search]=object-${Math.floor(size * 0.8)}&${perPage}`,
} as const
export type HistoryUse = keyof typeof uses
export const historyUses = Object.keys(uses) as HistoryUse[]

/** Names of the cases. They run only on request, because filling takes minutes. */
export const historyCase = (use: HistoryUse) => `history of ${size}, ${use}`

/** Brings the history to so many rows, 5 million of ten years, one in a million of a rare kind and from a rare address. */
export async function fillHistory() {
  const owner = new pg.Client(process.env.DATABASE_OWNER_URL)
  await owner.connect()
  await owner.query(
    `insert into history (date, type, entity, entity_id, field, previous, current, ip, request_id)
      select '2026-01-01'::timestamptz - n * interval '1 minute', 'update',
        case when n % 1000000 = 0 then 'device-types' else 'network-aliases' end, 'object-' || n, 'name',
        to_jsonb('alias ' || n), to_jsonb('alias ' || n + 1),
        case when n % 1000000 = 0 then '198.51.100.200' else '10.0.0.' || n % 250 end, 'bench ' || n
      from generate_series(1, $1::bigint) n`,
    [size],
  )
  await owner.query('vacuum analyze history')
  await owner.end()
}

/** The first and the last page by cursor, and what its filters find. */
export async function historyCases(origin: string, administrator: Map<string, string>, seconds: number) {
  const { body } = await send(origin, {
    path: `${path}?meta[page]=${Math.floor(size / 20) - 1}&${perPage}`,
    cookies: administrator,
  })
  const last = `?meta[after]=${JSON.parse(body).meta.after}&${perPage}`
  const cases: Record<string, () => Promise<Measured>> = {}
  for (const use of historyUses)
    cases[historyCase(use)] = () => measure(2, seconds, pages(origin, path + (uses[use] ?? last), administrator))
  return cases
}
