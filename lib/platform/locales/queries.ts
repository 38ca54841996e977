import { asc, eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { locales } from '@/db/schema/platform'

export const selectEnabledLocales = () =>
  db()
    .select({ id: locales.id, code: locales.code, name: locales.name })
    .from(locales)
    .where(eq(locales.enabled, true))
    .orderBy(asc(locales.name), asc(locales.code))
