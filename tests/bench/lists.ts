import pg from 'pg'
import { pages } from './cases'
import { type Measured, measure, send } from './load'

/** What people do with a list of network aliases, besides opening it. */
const uses = [
  ['by change', '?sortBy=updatedAt&sort=desc'],
  ['a search', `?${new URLSearchParams({ 'filter[search]': 'alias 77' })}`],
  ['a subnet', `?${new URLSearchParams({ 'filter[ip]': '10.0.7.0/24' })}`],
  ['the last page', (size: number) => `?${new URLSearchParams({ 'meta[page]': String(size / 20) })}`],
] as const

/** Measures a list of network aliases of a given size, opened and used by an administrator. */
export function listCases(origin: string, administrator: Map<string, string>, size: number, seconds: number) {
  const path = '/api/v1/platform/setting/network-aliases'
  const run = (query: string) => () => measure(2, seconds, pages(origin, path + query, administrator))
  const cases: Record<string, () => Promise<Measured>> = { [`list of ${size}`]: run('') }
  for (const [what, query] of uses)
    cases[`list of ${size}, ${what}`] = run(typeof query === 'string' ? query : query(size))
  return cases
}

const filling = `
  with made as (
    insert into network_aliases (name, comment, created_at, updated_at)
    select 'alias ' || lpad(n::text, 6, '0'), 'made for measuring', now() - n * interval '1 minute',
      now() - n * interval '1 minute'
    from generate_series((select count(*) from network_aliases) + 1, $1::bigint) n returning id, name
  )
  insert into network_alias_ips (alias_id, ip, comment, "order")
  select id, ('10.' || (substr(name, 7)::int / 65536) % 256 || '.' || (substr(name, 7)::int / 256) % 256 || '.'
    || substr(name, 7)::int % 256)::cidr, '', 0 from made`

/** Brings the number of network aliases to `size`, as the owner, because it takes longer than the application may. */
export async function fillList(size: number) {
  const owner = new pg.Client(process.env.DATABASE_OWNER_URL)
  await owner.connect()
  await owner.query(filling, [size])
  await owner.query('vacuum analyze network_aliases, network_alias_ips')
  // a change through the platform would do this too: the total is cached until then
  await owner.query(`select pg_notify('platform_cache', 'network-aliases')`)
  await owner.end()
  // wait until the server has tidied up
  await new Promise((resolve) => setTimeout(resolve, 10_000))
}

const path = '/api/v1/platform/setting/network-aliases'
const deepSize = 5_000_000

/** Names of the cases with 5 million rows. They run only on request, because filling takes minutes. */
export const deepCases = ['page 1', 'page 50 000', 'the last page'].map(
  (what) => `list of ${deepSize} by cursor, ${what}`,
)

/** Brings the number of network aliases to 5 million with one statement; other cases measure the search. */
export async function fillDeepList() {
  const owner = new pg.Client(process.env.DATABASE_OWNER_URL)
  await owner.connect()
  await owner.query('drop index if exists network_aliases_text')
  await owner.query(
    `insert into network_aliases (name, comment, created_at, updated_at)
      select 'deep ' || lpad(n::text, 8, '0'), '', now() - n * interval '7 microseconds', now() - n * interval '7 microseconds'
      from generate_series((select count(*) from network_aliases) + 1, $1::bigint) n`,
    [deepSize],
  )
  await owner.query('vacuum analyze network_aliases')
  await owner.query(`select pg_notify('platform_cache', 'network-aliases')`)
  await owner.end()
}

/**
 * Pages of 5 million aliases by cursor: the first, one in the middle and the last, each reached from the page beside
 * it.
 */
export async function deepListCases(origin: string, administrator: Map<string, string>, seconds: number) {
  const behind = async (page: number) => {
    const { body } = await send(origin, { path: `${path}?meta[page]=${page}&meta[perPage]=20`, cookies: administrator })
    return `${path}?meta[after]=${JSON.parse(body).meta.after}&meta[perPage]=20`
  }
  const addresses = [`${path}?meta[perPage]=20`, await behind(49_999), await behind(deepSize / 20 - 1)]
  const cases: Record<string, () => Promise<Measured>> = {}
  for (const [n, name] of deepCases.entries())
    cases[name] = () => measure(2, seconds, pages(origin, addresses[n] ?? path, administrator))
  return cases
}
