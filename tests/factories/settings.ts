import { db } from '@/db/client'
import { settings } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'

/** Stores a setting as the administration does. */
export async function setSetting(id: string, value: unknown) {
  await db().insert(settings).values({ id, value }).onConflictDoUpdate({ target: settings.id, set: { value } })
  dropCached('settings')
}
