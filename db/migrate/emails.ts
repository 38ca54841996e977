import type pg from 'pg'
import { emailOf, mailDomain } from '@/lib/base/text/email'
import { whenFree } from './tables'

type Log = { warn: (details: object, message: string) => void }

/** Columns with e-mails, and with logins, which may be e-mails. */
const places: readonly [table: string, column: string][] = [
  ['users', 'email'],
  ['users', 'login'],
  ['user_identifiers', 'value'],
  ['user_contacts', 'value'],
  ['invitations', 'email'],
  ['links', 'email'],
]
const uniqueViolation = '23505'
/** How many addresses a transaction changes. */
const atOnce = 500

type Spelled = { now: string; were: string[] }

/** Changes addresses in every place, all or nothing. */
async function respell(client: pg.ClientBase, all: readonly Spelled[], at: typeof places) {
  const pairs = all.flatMap(({ now, were }) => were.map((was) => [was, now] as const))
  const values = [pairs.map(([was]) => was), pairs.map(([, now]) => now)]
  await client.query('begin')
  try {
    // in the order in which every other writer locks them
    if (at.some(([table]) => table === 'user_identifiers'))
      await client.query(
        `select from users where email = any($1) or login = any($1)
          or id in (select user_id from user_identifiers where value = any($1)) order by id for no key update`,
        values.slice(0, 1),
      )
    for (const [table, column] of at)
      await client.query(
        `update ${table} t set ${column} = spelled.now from unnest($1::text[], $2::text[]) spelled (was, now)
          where t.${column} = spelled.was ${
            // who has one contact in both spellings keeps both
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

/** The same; of those of which one is somebody else's already, all but this one. */
async function respellFree(client: pg.ClientBase, all: readonly Spelled[], at: typeof places, log: Log): Promise<void> {
  try {
    await whenFree(log, () => respell(client, all, at))
  } catch (error) {
    const { code, table } = error as { code?: string; table?: string }
    if (code !== uniqueViolation) throw error
    const half = Math.ceil(all.length / 2)
    if (all.length === 1)
      return log.warn({ table }, 'an e-mail stays as an earlier version spelled it: another row has it')
    await respellFree(client, all.slice(0, half), at, log)
    await respellFree(client, all.slice(half), at, log)
  }
}

/**
 * Gives e-mails of international domains their one spelling, which earlier versions stored in ASCII. One that somebody else
 * has in that spelling stays, in all that an account has.
 */
export async function spellEmails(client: pg.ClientBase, log: Log): Promise<void> {
  // an older version's migrations don't create all of them
  const { rows: known } = await client.query<{ place: string }>(
    `select table_name || '.' || column_name as place from information_schema.columns where table_schema = 'public'`,
  )
  const exists = (table: string, column: string) => known.some(({ place }) => place === `${table}.${column}`)
  const at = places.filter(([table, column]) => exists(table, column))
  const spelled = new Map<string, Set<string>>()
  for (const [table, column] of at) {
    const { rows } = await client.query<{ was: string }>(
      `select distinct ${column} as was from ${table} where ${column} like '%@%xn--%'`,
    )
    for (const { was } of rows) {
      const now = emailOf(was)
      if (now !== null && now !== was.toLowerCase()) spelled.set(now, (spelled.get(now) ?? new Set()).add(was))
    }
  }
  const all = [...spelled].map(([now, were]) => ({ now, were: [...were] }))
  await client.query(`set lock_timeout = '800ms'`)
  for (let from = 0; from < all.length; from += atOnce)
    await respellFree(client, all.slice(from, from + atOnce), at, log)
  await client.query('set lock_timeout = 0')
  if (!exists('providers', 'email_domains')) return
  const { rows } = await client.query<{ id: string; was: string[] }>(
    `select id, email_domains as was from providers where array_to_string(email_domains, ' ') like '%xn--%'`,
  )
  for (const { id, was } of rows) {
    const domains = [...new Set(was.map((domain) => mailDomain(domain) ?? domain))]
    if (domains.join() !== was.join())
      await client.query('update providers set email_domains = $1 where id = $2', [domains, id])
  }
}
