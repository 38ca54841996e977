import { and, eq, inArray, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { locales, localeTexts } from '@/db/schema/platform'

type Run = Pick<Transaction, 'select'>

/** Returns a language; undefined if there is none. */
export async function selectLocale(id: string) {
  const { name, code, enabled } = locales
  const [row] = await db().select({ name, code, enabled }).from(locales).where(eq(locales.id, id))
  return row
}

/** Returns the own texts of a language by key. */
export async function selectTexts(run: Run, localeId: string): Promise<Map<string, string>> {
  const { key, text } = localeTexts
  const rows = await run.select({ key, text }).from(localeTexts).where(eq(localeTexts.localeId, localeId))
  return new Map(rows.map((row) => [row.key, row.text]))
}

/** Returns the own texts of the language with this code, by key. */
export async function selectTextsOf(code: string) {
  const rows = await db()
    .select({ key: localeTexts.key, text: localeTexts.text })
    .from(localeTexts)
    .innerJoin(locales, eq(locales.id, localeTexts.localeId))
    .where(eq(locales.code, code))
  return new Map(rows.map((row) => [row.key, row.text]))
}

/** Returns a version for each language with own texts, which changes with every change of its texts. */
export async function selectTextVersions(): Promise<Map<string, string>> {
  const rows = await db()
    .select({
      code: locales.code,
      version: sql<string>`count(*) || ' ' || max(${localeTexts.updatedAt})`,
    })
    .from(localeTexts)
    .innerJoin(locales, eq(locales.id, localeTexts.localeId))
    .groupBy(locales.code)
  return new Map(rows.map((row) => [row.code, row.version]))
}

/** How many texts one statement stores. */
const textsAtOnce = 1000

/** Stores texts, and removes those that are empty. */
export async function storeTexts(tx: Transaction, localeId: string, texts: ReadonlyMap<string, string>) {
  const emptied = [...texts].filter(([, text]) => text === '').map(([key]) => key)
  if (emptied.length > 0)
    await tx.delete(localeTexts).where(and(eq(localeTexts.localeId, localeId), inArray(localeTexts.key, emptied)))
  const filled = [...texts].filter(([, text]) => text !== '').map(([key, text]) => ({ localeId, key, text }))
  for (let start = 0; start < filled.length; start += textsAtOnce)
    await tx
      .insert(localeTexts)
      .values(filled.slice(start, start + textsAtOnce))
      .onConflictDoUpdate({
        target: [localeTexts.localeId, localeTexts.key],
        set: { text: sql`excluded.text` },
      })
}
