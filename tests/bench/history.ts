import pg from 'pg'
import { pages } from './cases'
import { fill } from './filling'
import { type Measured, measure, send } from './load'

const path = '/api/v1/platform/setting/history'
/** How many rows the history has. */
export const size = Number(process.env.ROWS ?? 5_000_000)
const perPage = 'meta[perPage]=20'

/** What an administrator asks of the whole history. */
const uses = {
  'page 1': `?${perPage}`,
  'a page behind a million rows': null,
  'the oldest first': `?sort=asc&${perPage}`,
  'a rare address': `?filter[ip]=198.51.100.200&${perPage}`,
  'a rare kind of object': `?filter[entity]=device-types&${perPage}`,
  'a day long ago': `?filter[dateFrom]=2020-06-01&filter[dateTo]=2020-06-01&${perPage}`,
  'a part of a name': `?filter[search]=${encodeURIComponent('ндре')}&${perPage}`,
  'an object by its id': `?filter[search]=object-${Math.floor(size * 0.8)}&${perPage}`,
} as const
export type HistoryUse = keyof typeof uses
export const historyUses = Object.keys(uses) as HistoryUse[]

/** Plain SQL of the same page, and reading all rows for a part of a word, which an index is compared with (P10, P11). */
export const plainPage = `history of ${size}, a page by plain SQL`
export const readingAll = `history of ${size}, all rows read for a part of a word`

/** Names of the cases. They run only on request, because filling takes minutes. */
export const historyCase = (use: HistoryUse) => `history of ${size}, ${use}`

type HistoryRows = {
  size: number
  /** The moment of the newest row, and the time between two rows, in SQL. */
  newest: string
  every: string
  /** In SQL: what a row is about, and who changed it, by the number of the row `n`. */
  entity?: string
  entityId?: string
  changer?: string
}

/**
 * Inserts rows of the history as the platform does, because rows that another role inserts are faults of the chain. Five
 * of them are of a rare kind and from a rare address.
 */
export async function insertHistory(appUrl: string, { size, newest, every, ...about }: HistoryRows) {
  const { entity = "'network-aliases'", entityId = "'object-' || n", changer = 'null::uuid' } = about
  const rare = `n % ${Math.ceil(size / 5)} = 0`
  const platform = new pg.Client(appUrl)
  await platform.connect()
  await platform.query(
    `insert into history (date, type, entity, entity_id, field, previous, current, ip, request_id, changer_id)
      select ${newest} - n * interval '${every}', 'update', case when ${rare} then 'device-types' else ${entity} end,
        ${entityId}, 'name', to_jsonb('alias ' || n), to_jsonb('alias ' || n + 1),
        case when ${rare} then '198.51.100.200' else '10.0.0.' || n % 250 end, 'bench ' || n, ${changer}
      from generate_series(1, $1::bigint) n`,
    [size],
  )
  await platform.end()
}

/** Replaces the history, with the rows of earlier runs, by so many rows: 5 million of ten years. */
export async function fillHistory() {
  const { DATABASE_OWNER_URL = '', DATABASE_URL = '' } = process.env
  await fill(DATABASE_OWNER_URL, ['truncate history, history_seals, history_unsealed'])
  await insertHistory(DATABASE_URL, { size, newest: `'2026-01-01'::timestamptz`, every: '1 minute' })
  await fill(DATABASE_OWNER_URL, [])
}

/** The first page, one far behind it by cursor, the oldest rows, and what the filters find. */
export async function historyCases(origin: string, administrator: Map<string, string>, seconds: number) {
  const { body } = await send(origin, {
    path: `${path}?meta[page]=${Math.floor(Math.min(size, 1_000_000) / 20) - 1}&${perPage}`,
    cookies: administrator,
  })
  const behind = `?meta[after]=${JSON.parse(body).meta.after}&${perPage}`
  const cases: Record<string, () => Promise<Measured>> = {}
  for (const use of historyUses)
    cases[historyCase(use)] = () => measure(1, seconds, pages(origin, path + (uses[use] ?? behind), administrator))
  const client = new pg.Client(process.env.DATABASE_OWNER_URL)
  await client.connect()
  const query = (text: string) => async () => {
    await client.query(text)
    return 1
  }
  const id = Math.max(size - 1_000_000, size / 2)
  cases[plainPage] = () =>
    measure(1, seconds, query(`select * from history where id < ${id} order by date desc, id desc limit 21`))
  cases[readingAll] = () =>
    measure(1, 1, query("select count(*) from history where current::text ilike '%lias 4999999%'"))
  return { cases, close: () => client.end() }
}
