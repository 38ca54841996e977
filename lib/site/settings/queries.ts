import { eq, sql } from 'drizzle-orm'
import { type Database, db, type Transaction } from '@/db/client'
import { roles } from '@/db/schema/people'
import { settings } from '@/db/schema/platform'

/** Returns every stored value, and the id of the shipped role that new users get by default. */
export async function selectStoredSettings(database: Database | Transaction = db()) {
  const [row] = await database
    .select({
      userRoleId: roles.id,
      stored: sql<
        Record<string, unknown>
      >`(select coalesce(jsonb_object_agg(${settings.id}, ${settings.value}), '{}') from ${settings})`,
    })
    .from(roles)
    .where(eq(roles.code, 'user'))
  if (!row) throw new Error('the shipped role "user" is missing: migrations have not run')
  return row
}
