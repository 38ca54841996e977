import { and, eq, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { users } from '@/db/schema/people'

/** Returns the main e-mail and mobile of an account; undefined if there is none. */
export async function selectReach(userId: string) {
  const [row] = await db().select({ email: users.email, mobile: users.mobile }).from(users).where(eq(users.id, userId))
  return row
}

/** Returns the mobile and language of an enabled account; undefined if it is disabled or has no mobile. */
export async function selectSmsReceiver(userId: string) {
  const [row] = await db()
    .select({
      mobile: users.mobile,
      lang: sql<
        string | null
      >`coalesce((select us.lang from user_settings us where us.user_id = users.id), users.locale)`,
    })
    .from(users)
    .where(and(eq(users.id, userId), users.enabled))
  return row?.mobile ? { ...row, mobile: row.mobile } : undefined
}
