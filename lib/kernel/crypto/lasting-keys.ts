import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { lastingKeys } from '@/db/schema/operations'
import { keysOf, type LastingPurpose, seal, setLastingKey, unseal } from './secrets'

/** By which of SECRET_KEYS' own keys each was hashed before it had one that is stored. */
const former = { identifiers: 'identifiers', resends: 'codes' } as const

const stored = async (purpose: LastingPurpose) =>
  (await db().select().from(lastingKeys).where(eq(lastingKeys.purpose, purpose)))[0]?.key

/**
 * Whether an earlier version has counted here: then the key that it counted with goes on, or the upgrade would lift
 * limits and show strangers other flows than before. What begins here begins with a random one.
 */
async function hasCounts(): Promise<boolean> {
  const { rows } = await db().execute<{ counted: boolean }>(
    sql`select exists (select from sign_in_attempts) or exists (select from daily_counters)
      or exists (select from sessions) as counted`,
  )
  return rows[0]?.counted === true
}

async function made(purpose: LastingPurpose): Promise<string | undefined> {
  const [before] = (await hasCounts()) ? keysOf(former[purpose]) : []
  const key = (before?.key ?? randomBytes(32)).toString('base64url')
  // of processes that start at once one stores its own, and all read that
  await db()
    .insert(lastingKeys)
    .values({ purpose, key: seal('keys', key, purpose) })
    .onConflictDoNothing()
  return stored(purpose)
}

/** Reads the keys that outlive SECRET_KEYS into this process, making those that aren't there. Once, at its start. */
export async function loadLastingKeys(): Promise<void> {
  for (const purpose of ['identifiers', 'resends'] as const) {
    const sealed = (await stored(purpose)) ?? (await made(purpose))
    if (!sealed) throw new Error(`the key of ${purpose} was not stored`)
    setLastingKey(purpose, Buffer.from(unseal('keys', sealed, purpose), 'base64url'))
  }
}
