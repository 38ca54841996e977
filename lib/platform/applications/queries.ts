import { and, eq, isNotNull } from 'drizzle-orm'
import { db } from '@/db/client'
import { applications } from '@/db/schema/platform'

export const enabledAddresses = () =>
  db()
    .select({ url: applications.url })
    .from(applications)
    .where(and(eq(applications.enabled, true), isNotNull(applications.url)))
