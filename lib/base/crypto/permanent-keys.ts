import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { lastingKeys } from '@/db/schema/operations'
import { decrypt, encrypt, keysOf, type PermanentPurpose, permanentPurposes, setPermanentKey } from './encryption'

/** By permanent purpose: the purpose whose key of SECRET_KEYS earlier versions used for it. */
const formerPurposes = { identifiers: 'identifiers', resends: 'codes', seals: null } as const

const selectKey = async (purpose: PermanentPurpose) =>
  (await db().select().from(lastingKeys).where(eq(lastingKeys.purpose, purpose)))[0]?.key

/**
 * Returns whether an earlier version has counted with this database. Then its key becomes the permanent one: otherwise
 * the upgrade would reset limits and change which flows an unknown identifier is shown. A new installation starts with
 * a random key.
 */
async function hasCounts(): Promise<boolean> {
  const { rows } = await db().execute<{ counted: boolean }>(
    sql`select exists (select from sign_in_attempts) or exists (select from daily_counters)
      or exists (select from sessions) as counted`,
  )
  return rows[0]?.counted === true
}

async function createKey(purpose: PermanentPurpose): Promise<string | undefined> {
  const source = formerPurposes[purpose]
  const [formerKey] = source && (await hasCounts()) ? keysOf(source) : []
  const key = (formerKey?.key ?? randomBytes(32)).toString('base64url')
  // if several processes start at once, one stores its key, and all read that one
  await db()
    .insert(lastingKeys)
    .values({ purpose, key: encrypt('keys', key, purpose) })
    .onConflictDoNothing()
  return selectKey(purpose)
}

/** Loads the keys that outlive SECRET_KEYS into this process and creates missing ones. Runs once, at start. */
export async function loadPermanentKeys(): Promise<void> {
  for (const purpose of permanentPurposes) {
    const encryptedKey = (await selectKey(purpose)) ?? (await createKey(purpose))
    if (!encryptedKey) throw new Error(`the key of ${purpose} was not stored`)
    setPermanentKey(purpose, Buffer.from(decrypt('keys', encryptedKey, purpose), 'base64url'))
  }
}
