import { and, eq, inArray, like, or, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { domains, domainTexts, locales, localeTexts } from '@/db/schema/platform'

type Run = Pick<Transaction, 'select'>
type Place = { domainId: string; localeId: string }

/** Returns the texts of all domains, with the codes of their languages. */
export const selectAllDomainTexts = () =>
  db()
    .select({ domainId: domainTexts.domainId, code: locales.code, key: domainTexts.key, text: domainTexts.text })
    .from(domainTexts)
    .innerJoin(locales, eq(locales.id, domainTexts.localeId))

/** Returns the texts of a domain in a language whose keys begin with `prefix`, by key. */
export async function selectDomainTexts(run: Run, { domainId, localeId }: Place, prefix: string) {
  const { key, text } = domainTexts
  const rows = await run
    .select({ key, text })
    .from(domainTexts)
    .where(and(eq(domainTexts.domainId, domainId), eq(domainTexts.localeId, localeId), like(key, `${prefix}%`)))
  return new Map(rows.map((row) => [row.key, row.text]))
}

/** Returns the numbers of own texts of mails and SMS by message, for languages and for domains. */
export async function selectCounts() {
  const message = (key: typeof localeTexts.key | typeof domainTexts.key) =>
    sql<string>`split_part(${key}, '.', 1) || '-' || split_part(${key}, '.', 2)`
  const count = sql<number>`count(*)::int`
  const ofLocales = await db()
    .select({ id: message(localeTexts.key), localeId: localeTexts.localeId, count })
    .from(localeTexts)
    .where(or(like(localeTexts.key, 'mail.%'), like(localeTexts.key, 'sms.%')))
    .groupBy(sql`1`, localeTexts.localeId)
  const ofDomains = await db()
    .select({
      id: message(domainTexts.key),
      localeId: domainTexts.localeId,
      domainId: domainTexts.domainId,
      count,
    })
    .from(domainTexts)
    .groupBy(sql`1`, domainTexts.localeId, domainTexts.domainId)
  return [...ofLocales.map((row) => ({ ...row, domainId: null })), ...ofDomains]
}

/** Locks a domain against deletion until the transaction ends. Returns false if there is none. */
export async function holdDomain(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx.select({ id: domains.id }).from(domains).where(eq(domains.id, id)).for('key share')
  return rows.length > 0
}

/** Returns whether a domain with this id exists. */
export const isDomain = async (id: string) =>
  (await db().select({ id: domains.id }).from(domains).where(eq(domains.id, id))).length > 0

/** Stores texts of a domain, and removes those that are empty. */
export async function storeDomainTexts(tx: Transaction, place: Place, texts: ReadonlyMap<string, string>) {
  const emptied = [...texts].filter(([, text]) => text === '').map(([key]) => key)
  const { domainId, localeId, key } = domainTexts
  if (emptied.length > 0)
    await tx
      .delete(domainTexts)
      .where(and(eq(domainId, place.domainId), eq(localeId, place.localeId), inArray(key, emptied)))
  const filled = [...texts].filter(([, text]) => text !== '').map(([name, text]) => ({ ...place, key: name, text }))
  if (filled.length === 0) return
  await tx
    .insert(domainTexts)
    .values(filled)
    .onConflictDoUpdate({ target: [domainId, localeId, key], set: { text: sql`excluded.text` } })
}
