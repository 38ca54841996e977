import { and, count, eq, gt, inArray, isNull, max, or, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { sessions } from '@/db/schema/entry'
import { sealingKeys } from '@/db/schema/operations'
import { namedKeys, type Purpose } from '@/lib/base/crypto/encryption'
import { redisHealthy } from '@/lib/base/redis/redis'
import { log } from '@/lib/base/runtime/log'
import { type Marks, type Store, stores } from './stores'

type Known = typeof sealingKeys.$inferSelect

/** Milliseconds between two heartbeats of a process that seals, and how long one is valid. */
const beatEvery = 15_000
const aliveFor = 3 * beatEvery

const knownKeys = () => db().select().from(sealingKeys)

/** Returns the marks of some keys. */
export const marksOf =
  (keys: { marks: Record<string, string> }[]): Marks =>
  (purpose: Purpose) =>
    keys.flatMap(({ marks }) => marks[purpose] ?? [])

/** Records the keys of this process by name. The first of them seals from now on. */
async function register() {
  const keys = namedKeys()
  await db()
    .insert(sealingKeys)
    .values(keys.map(({ id, marks }, n) => ({ id, marks, sealedAt: n === 0 ? sql`now()` : null })))
    .onConflictDoUpdate({
      target: sealingKeys.id,
      set: {
        marks: sql`${sealingKeys.marks} || excluded.marks`,
        sealedAt: sql`coalesce(excluded.sealed_at, ${sealingKeys.sealedAt})`,
      },
    })
}

/** Returns whether a process that seals with the key was alive a moment ago. */
export const isSealing = ({ sealedAt }: Known, now = Date.now()) =>
  sealedAt !== null && now - sealedAt.getTime() < aliveFor

/** Returns whether stored data may need the key: no check was made since a process sealed with it. */
const isOpen = ({ sealedAt, clearedAt }: Known) => clearedAt === null || (sealedAt !== null && sealedAt > clearedAt)

/** Returns which stores contain values with one of these marks. */
export async function neededBy(marks: Marks, among: Store[] = stores) {
  const needs: { what: string; many: number }[] = []
  for (const { what, count: countOf } of among) {
    const many = await countOf(marks)
    if (many > 0) needs.push({ what, many })
  }
  return needs
}

/** Records that no stored value needs a key, so it can be removed. */
export const clearKey = (id: string) =>
  db().update(sealingKeys).set({ clearedAt: sql`now()` }).where(eq(sealingKeys.id, id))

/**
 * Returns how many valid sessions have a cookie that a key sealed, or may have sealed if that isn't recorded, and when
 * the last one expires.
 */
export async function sessionsSealedBy(id: string) {
  const live = and(isNull(sessions.endedAt), gt(sessions.expiresAt, sql`now()`))
  const [row] = await db()
    .select({ many: count(), until: max(sessions.expiresAt) })
    .from(sessions)
    .where(and(live, or(eq(sessions.sealedBy, id), isNull(sessions.sealedBy))))
  return { many: row?.many ?? 0, until: row?.until ?? null }
}

const said = (needs: { what: string; many: number }[]) => needs.map(({ what, many }) => `${what} (${many})`).join(', ')

/** Returns the marks in these stores that belong to no known key. */
async function strangeMarks(known: Known[], among: Store[]) {
  const marks = marksOf([...known, ...namedKeys()])
  const faults: string[] = []
  for (const { what, otherMarks } of among)
    for (const mark of await otherMarks(marks))
      faults.push(`SECRET_KEYS lacks a key that was never named here (its mark is ${mark}): ${what} are sealed with it`)
  return faults
}

/**
 * Returns the names of keys that stored data needs and that are missing; without them a process must not start. It
 * searches the stored data only at an upgrade, or if a key is gone that was there before.
 */
export async function missingKeys(): Promise<string[]> {
  const keyRows = await knownKeys()
  const here = new Set(namedKeys().map(({ id }) => id))
  const faults = await strangeMarks(
    keyRows,
    stores.filter(({ vital }) => vital),
  )
  // an upgrade searches everything; values that were already unreadable don't prevent the start
  const lost =
    keyRows.length === 0
      ? await strangeMarks(
          keyRows,
          stores.filter(({ vital }) => !vital),
        )
      : []
  for (const fault of lost) log.warn({ fault }, 'what an unknown key sealed can not be read')
  for (const key of keyRows) {
    if (here.has(key.id) || !isOpen(key)) continue
    const needs = await neededBy(marksOf([key]))
    if (needs.length > 0) {
      faults.push(
        `SECRET_KEYS lacks the key ${key.id}, with which these are sealed: ${said(needs)}. Put it back behind the first; npm run platform -- secrets reencrypt says when it can go`,
      )
      continue
    }
    const { many } = await sessionsSealedBy(key.id)
    if (many > 0) log.warn({ key: key.id, sessions: many }, 'the key of these sessions is gone: people sign in anew')
    // while Redis is unavailable it can't be searched; the next start does it
    if (!isSealing(key) && (await redisHealthy())) await clearKey(key.id)
  }
  if (faults.length === 0) await register()
  return faults
}

/** Tells other processes that this one runs and seals with its first key. Returns a function that ends this. */
export function noteSealing(): () => void {
  const [first] = namedKeys()
  const beat = () =>
    db()
      .update(sealingKeys)
      .set({ sealedAt: sql`now()` })
      .where(inArray(sealingKeys.id, first ? [first.id] : []))
      .catch((error) => log.debug({ err: error }, 'the key that seals was not noted'))
  const timer = setInterval(beat, beatEvery)
  timer.unref()
  return () => clearInterval(timer)
}
