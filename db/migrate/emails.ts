import type pg from 'pg'
import { emailOf, mailDomain } from '@/lib/base/text/email'
import { whenFree } from './tables'

type Log = { warn: (details: object, message: string) => void }

/** Columns with e-mails, and with logins, which may be e-mails. */
const emailColumns: readonly [table: string, column: string][] = [
  ['users', 'email'],
  ['users', 'login'],
  ['user_identifiers', 'value'],
  ['user_contacts', 'value'],
  ['invitations', 'email'],
  ['links', 'email'],
]
const uniqueViolation = '23505'
/** The number of addresses that a transaction changes. */
const batchSize = 500

type Respelling = { now: string; were: string[] }

/** Changes the spelling of addresses in these columns, all or nothing. */
async function respell(client: pg.ClientBase, respellings: readonly Respelling[], columns: typeof emailColumns) {
  const pairs = respellings.flatMap(({ now, were }) => were.map((oldSpelling) => [oldSpelling, now] as const))
  const values = [pairs.map(([oldSpelling]) => oldSpelling), pairs.map(([, now]) => now)]
  await client.query('begin')
  try {
    // locks in the same order as every other writer
    if (columns.some(([table]) => table === 'user_identifiers'))
      await client.query(
        `select from users where email = any($1) or login = any($1)
          or id in (select user_id from user_identifiers where value = any($1)) order by id for no key update`,
        values.slice(0, 1),
      )
    for (const [table, column] of columns)
      await client.query(
        `update ${table} t set ${column} = spelled.now from unnest($1::text[], $2::text[]) spelled (was, now)
          where t.${column} = spelled.was ${
            // an account that has one contact in both spellings keeps both
            table === 'user_contacts'
              ? 'and not exists (select from user_contacts o where (o.user_id, o.kind, o.value) = (t.user_id, t.kind, spelled.now))'
              : ''
          }`,
        values,
      )
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Changes the spelling of addresses; if another row has an address already, changes all others. */
async function respellPossible(
  client: pg.ClientBase,
  respellings: readonly Respelling[],
  columns: typeof emailColumns,
  log: Log,
): Promise<void> {
  try {
    await whenFree(log, () => respell(client, respellings, columns))
  } catch (error) {
    const { code, table } = error as { code?: string; table?: string }
    if (code !== uniqueViolation) throw error
    const half = Math.ceil(respellings.length / 2)
    if (respellings.length === 1)
      return log.warn({ table }, 'an e-mail stays as an earlier version spelled it: another row has it')
    await respellPossible(client, respellings.slice(0, half), columns, log)
    await respellPossible(client, respellings.slice(half), columns, log)
  }
}

/**
 * Changes e-mails of international domains, which earlier versions stored in ASCII, to the only spelling used now. An
 * e-mail that another account has in this spelling stays unchanged in all columns.
 */
export async function spellEmails(client: pg.ClientBase, log: Log): Promise<void> {
  // the migrations of an older version don't create all of them
  const { rows: existing } = await client.query<{ place: string }>(
    `select table_name || '.' || column_name as place from information_schema.columns where table_schema = 'public'`,
  )
  const exists = (table: string, column: string) => existing.some(({ place }) => place === `${table}.${column}`)
  const columns = emailColumns.filter(([table, column]) => exists(table, column))
  const spelled = new Map<string, Set<string>>()
  for (const [table, column] of columns) {
    const { rows } = await client.query<{ was: string }>(
      `select distinct ${column} as was from ${table} where ${column} like '%@%xn--%'`,
    )
    for (const { was: oldSpelling } of rows) {
      const now = emailOf(oldSpelling)
      if (now !== null && now !== oldSpelling.toLowerCase())
        spelled.set(now, (spelled.get(now) ?? new Set()).add(oldSpelling))
    }
  }
  const respellings = [...spelled].map(([now, were]) => ({ now, were: [...were] }))
  await client.query(`set lock_timeout = '800ms'`)
  for (let offset = 0; offset < respellings.length; offset += batchSize)
    await respellPossible(client, respellings.slice(offset, offset + batchSize), columns, log)
  await client.query('set lock_timeout = 0')
  if (!exists('providers', 'email_domains')) return
  const { rows } = await client.query<{ id: string; was: string[] }>(
    `select id, email_domains as was from providers where array_to_string(email_domains, ' ') like '%xn--%'`,
  )
  for (const { id, was: oldSpelling } of rows) {
    const domains = [...new Set(oldSpelling.map((domain) => mailDomain(domain) ?? domain))]
    if (domains.join() !== oldSpelling.join())
      await client.query('update providers set email_domains = $1 where id = $2', [domains, id])
  }
}
