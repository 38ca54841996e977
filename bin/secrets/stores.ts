import { type SQL, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { decrypt, encrypt, type Purpose } from '@/lib/base/crypto/encryption'
import { redis, redisHealthy } from '@/lib/base/redis/redis'
import { replacePayload, selectPayloads } from '../graphile-internals'

/** The marks of the keys to look for. A mark is the prefix of every value that a key sealed for a purpose. */
export type Marks = (purpose: Purpose) => string[]

/** A place with sealed values. Its functions tolerate parallel reads and writes, and interruption. */
export type Store = {
  what: string
  /** Whether it has few rows, without which whole parts of the platform fail: it is checked at each start. */
  vital?: true
  /** Returns the marks of its values that aren't among the given ones. */
  otherMarks(known: Marks): Promise<string[]>
  /** Counts the values that have one of these marks. */
  count(marks: Marks): Promise<number>
  /** Seals again with the first key the values that have one of these marks. Returns how many. */
  reseal(marks: Marks, batch: number): Promise<number>
}

/** Searching whole tables may take longer than the limit of a request. */
const looking = <Row extends Record<string, unknown>>(query: SQL) =>
  db().transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '10min'`)
    return (await tx.execute<Row>(query)).rows
  })

const resealed = (purpose: Purpose, sealed: string, bound: string) =>
  encrypt(purpose, decrypt(purpose, sealed, bound), bound)

type Column = {
  what: string
  vital?: true
  purpose: Purpose
  table: string
  /** The primary key. */
  key: string[]
  column: string
  /** The member that is sealed of a column of JSON. */
  member?: string
  bound(key: string[]): string
}

/** A store for a column of sealed values. It processes rows in the order of the primary key. */
function columnStore({ what, vital, purpose, table, key, column, member, bound }: Column): Store {
  const [from, whole] = [sql.identifier(table), sql.identifier(column)]
  const value = member ? sql`(${whole} ->> ${member}::text)` : whole
  const set = (text: string) =>
    member ? sql`jsonb_set(${whole}, array[${member}::text], to_jsonb(${text}::text))` : sql`${text}`
  const names = key.map((name) => sql.identifier(name))
  const listed = sql.join(names, sql`, `)
  const asText = sql.join(
    names.map((name) => sql`${name}::text`),
    sql`, `,
  )
  const mark = sql`split_part(${value}, '.', 1)`
  const among = (marks: string[]) => sql`${mark} = any(${sql.param(marks)}::text[])`

  return {
    what,
    ...(vital ? { vital } : {}),
    async otherMarks(known) {
      const rows = await looking<{ mark: string }>(
        sql`select distinct ${mark} as mark from ${from} where ${value} <> '' and not ${among(known(purpose))}`,
      )
      return rows.map((row) => row.mark)
    },
    async count(marks) {
      const rows = await looking<{ many: number }>(
        sql`select count(*)::int as many from ${from} where ${among(marks(purpose))}`,
      )
      return rows[0]?.many ?? 0
    },
    async reseal(marks, batch) {
      const prefixes = new Set(marks(purpose))
      let [done, after] = [0, undefined as string[] | undefined]
      for (;;) {
        const beyond: SQL = after
          ? sql`where (${listed}) > (${sql.join(
              after.map((part) => sql`${part}`),
              sql`, `,
            )})`
          : sql``
        const { rows } = await db().execute<{ key: string[]; sealed: string | null }>(
          sql`select array[${asText}] as key, ${value} as sealed from ${from} ${beyond} order by ${listed} limit ${batch}`,
        )
        for (const { key: id, sealed } of rows) {
          if (!sealed || !prefixes.has(sealed.split('.', 1)[0] ?? '')) continue
          const is = sql.join(
            names.map((name, n) => sql`${name} = ${id[n]}`),
            sql` and `,
          )
          // if another process wrote it meanwhile, it is sealed with the current key already
          const { rowCount } = await db().execute(
            sql`update ${from} set ${whole} = ${set(resealed(purpose, sealed, bound(id)))} where ${is} and ${value} = ${sealed}`,
          )
          done += rowCount ?? 0
        }
        if (rows.length < batch) return done
        after = rows.at(-1)?.key
      }
    },
  }
}

type Nested = {
  what: string
  vital?: true
  purpose: Purpose
  /** Rows with an id and a JSON text that may contain sealed values. */
  rows: SQL
  /** Returns the sealed values in a JSON, and what each is bound to. */
  sealed(json: unknown, id: string): { value: string; bound: string }[]
  /** Replaces a JSON by another, unless it has changed. */
  replace(id: string, before: string, after: string): SQL
}

/** A store for sealed values within JSON, with few rows. */
function nestedStore({ what, vital, purpose, rows: query, sealed, replace }: Nested): Store {
  const all = async () => {
    const { rows } = await db().execute<{ id: string; json: string }>(query)
    return rows.map(({ id, json }) => ({ id, json, values: sealed(JSON.parse(json), id) }))
  }
  const markOf = (value: string) => value.split('.', 1)[0] ?? ''
  return {
    what,
    ...(vital ? { vital } : {}),
    async otherMarks(known) {
      const marks = (await all()).flatMap(({ values }) => values.map(({ value }) => markOf(value)))
      return [...new Set(marks)].filter((mark) => !known(purpose).includes(mark))
    },
    count: async (marks) =>
      (await all()).flatMap(({ values }) => values.filter(({ value }) => marks(purpose).includes(markOf(value))))
        .length,
    async reseal(marks) {
      let done = 0
      for (const { id, json, values } of await all()) {
        const old = values.filter(({ value }) => marks(purpose).includes(markOf(value)))
        if (old.length === 0) continue
        // base64url isn't escaped in JSON
        const fresh = old.reduce((text, { value, bound }) => text.replace(value, resealed(purpose, value, bound)), json)
        const { rowCount } = await db().execute(replace(id, json, fresh))
        if (rowCount) done += old.length
      }
      return done
    },
  }
}

const replacing = `
if redis.call('hget', KEYS[1], 'payload') ~= ARGV[1] then return 0 end
redis.call('hset', KEYS[1], 'payload', ARGV[2])
return 1`

/** Short-lived records of the OpenID Provider. While Redis is unavailable no command needs them. */
const redisStore: Store = {
  what: 'short-lived records in Redis',
  async otherMarks(known) {
    const prefixes = new Set<string>()
    if (!(await redisHealthy())) return []
    for await (const { sealed } of redisRecords()) prefixes.add(sealed.split('.', 1)[0] ?? '')
    return [...prefixes].filter((mark) => !known('oidc').includes(mark))
  },
  async count(marks) {
    let many = 0
    if (!(await redisHealthy())) return many
    for await (const { sealed } of redisRecords()) if (marks('oidc').includes(sealed.split('.', 1)[0] ?? '')) many++
    return many
  },
  async reseal(marks) {
    let done = 0
    for await (const { key, sealed } of redisRecords()) {
      if (!marks('oidc').includes(sealed.split('.', 1)[0] ?? '')) continue
      done += Number(await redis().eval(replacing, 1, key, sealed, resealed('oidc', sealed, key)))
    }
    return done
  },
}

async function* redisRecords() {
  let cursor = '0'
  do {
    const [next, keys] = await redis().scan(cursor, 'MATCH', 'oidc:[A-Z]*', 'COUNT', 500)
    cursor = next
    for (const key of keys) {
      const sealed = await redis().hget(key, 'payload')
      if (sealed) yield { key, sealed }
    }
  } while (cursor !== '0')
}

type SealedPayload = { code?: string; attemptId?: string; told?: string }

const byId = ([id = '']: string[]) => id

/** All stores of sealed values. A test checks that the list is complete. */
export const stores: Store[] = [
  {
    what: 'keys that outlive others',
    vital: true as const,
    purpose: 'keys' as const,
    table: 'lasting_keys',
    key: ['purpose'],
    column: 'key',
    bound: byId,
  },
  {
    what: 'signing keys of the OpenID Provider',
    vital: true as const,
    purpose: 'oidc' as const,
    table: 'oidc_keys',
    key: ['id'],
    column: 'jwk',
    bound: byId,
  },
  {
    what: 'its signing keys of other algorithms',
    vital: true as const,
    purpose: 'oidc' as const,
    table: 'oidc_algorithm_keys',
    key: ['id'],
    column: 'jwk',
    bound: byId,
  },
  {
    what: 'answers to refreshes of a moment ago',
    purpose: 'oidc' as const,
    table: 'oidc_answers',
    key: ['id_hash'],
    column: 'answer',
    bound: ([used]: string[]) => `answer ${used}`,
  },
  {
    what: 'sessions, grants and tokens of the OpenID Provider',
    purpose: 'oidc' as const,
    table: 'oidc_records',
    key: ['id_hash'],
    column: 'payload',
    bound: byId,
  },
  {
    what: 'the license',
    purpose: 'license' as const,
    table: 'licenses',
    key: ['id'],
    column: 'key',
    bound: () => 'license',
  },
  { what: 'messages', purpose: 'messages' as const, table: 'messages', key: ['id'], column: 'content', bound: byId },
  {
    what: 'links that wait for a digest',
    purpose: 'messages' as const,
    table: 'digest_items',
    key: ['id'],
    column: 'link',
    bound: () => 'digest',
  },
  {
    what: 'secrets of outside directories',
    purpose: 'providers' as const,
    table: 'providers',
    key: ['id'],
    column: 'client_secret',
    bound: byId,
  },
  {
    what: 'secrets of integrations',
    purpose: 'integration' as const,
    table: 'integration_syncs',
    key: ['id'],
    column: 'secret',
    bound: byId,
  },
  {
    what: 'answers under idempotency keys',
    purpose: 'idempotency' as const,
    table: 'idempotency_keys',
    key: ['caller', 'key'],
    column: 'answer',
    bound: ([caller, key]: string[]) => `${caller} ${key}`,
  },
  {
    what: 'keys of authenticator apps',
    purpose: 'factors' as const,
    table: 'authenticator_apps',
    key: ['user_id'],
    column: 'secret',
    bound: byId,
  },
  {
    what: 'passwords of imports',
    purpose: 'imports' as const,
    table: 'run_rows',
    key: ['run_id', 'row'],
    column: 'input',
    member: 'password',
    bound: ([runId, row]: string[]) => `${runId} ${row}`,
  },
  {
    what: 'keys of authenticator apps of imports',
    purpose: 'imports' as const,
    table: 'run_rows',
    key: ['run_id', 'row'],
    column: 'input',
    member: 'authenticatorKey',
    bound: ([runId, row]: string[]) => `${runId} ${row} authenticatorKey`,
  },
]
  .map(columnStore)
  .concat(
    nestedStore({
      what: 'secrets of clients',
      vital: true,
      purpose: 'clients',
      rows: sql`select client_id as id, secrets::text as json from oidc_clients`,
      sealed: (json, id) => (json as { sealed: string }[]).map(({ sealed }) => ({ value: sealed, bound: id })),
      replace: (id, before, after) =>
        sql`update oidc_clients set secrets = ${after}::jsonb where client_id = ${id} and secrets = ${before}::jsonb`,
    }),
    nestedStore({
      what: 'secrets of webhooks',
      purpose: 'webhooks',
      rows: sql`select id::text as id, secrets::text as json from webhooks`,
      sealed: (json, id) => (json as { sealed: string }[]).map(({ sealed }) => ({ value: sealed, bound: id })),
      replace: (id, before, after) =>
        sql`update webhooks set secrets = ${after}::jsonb where id = ${id} and secrets = ${before}::jsonb`,
    }),
    nestedStore({
      what: 'jobs that send sign-in codes',
      purpose: 'codes',
      rows: selectPayloads('signInCode'),
      sealed: (json) => {
        const { code = '', attemptId = '' } = json as SealedPayload
        return [{ value: code, bound: attemptId }]
      },
      replace: replacePayload,
    }),
    nestedStore({
      what: 'jobs that send registration links',
      purpose: 'messages',
      rows: selectPayloads('registrationMail'),
      sealed: (json) => [{ value: (json as SealedPayload).told ?? '', bound: 'registration' }],
      replace: replacePayload,
    }),
    redisStore,
  )
