import type pg from 'pg'
import { emailOf, mailDomain } from '@/lib/kernel/email'

type Log = { warn: (details: object, message: string) => void }

/** Columns with e-mails, and with logins, which may be e-mails. */
const places = [
  ['users', 'email'],
  ['users', 'login'],
  ['user_identifiers', 'value'],
  ['user_contacts', 'value'],
  ['invitations', 'email'],
  ['links', 'email'],
] as const
const uniqueViolation = '23505'

/**
 * Gives e-mails of international domains their one spelling, which earlier versions stored in ASCII. One that somebody else
 * has in that spelling stays.
 */
export async function spellEmails(client: pg.ClientBase, log: Log): Promise<void> {
  // an older version's migrations don't create all of them
  const { rows: known } = await client.query<{ place: string }>(
    `select table_name || '.' || column_name as place from information_schema.columns where table_schema = 'public'`,
  )
  const exists = (table: string, column: string) => known.some(({ place }) => place === `${table}.${column}`)
  for (const [table, column] of places.filter(([of, name]) => exists(of, name))) {
    const { rows } = await client.query<{ was: string }>(
      `select distinct ${column} as was from ${table} where ${column} like '%@%xn--%'`,
    )
    for (const { was } of rows) {
      const email = emailOf(was)
      if (email === null || email === was.toLowerCase()) continue
      try {
        await client.query(`update ${table} set ${column} = $1 where ${column} = $2`, [email, was])
      } catch (error) {
        if ((error as { code?: string }).code !== uniqueViolation) throw error
        log.warn({ table, column }, 'an e-mail stays as an earlier version spelled it: another row has it')
      }
    }
  }
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
