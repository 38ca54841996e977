import { asc, eq, inArray } from 'drizzle-orm'
import { db } from '@/db/client'
import { localNameColumn } from '@/db/local-name'
import { methods, users } from '@/db/schema/people'
import { applications, authenticationSchemas } from '@/db/schema/platform'

/** Returns these methods with their names, those of the platform first. */
export const selectMethods = (ids: readonly string[], locale: string) =>
  db()
    .select({
      id: methods.id,
      code: methods.code,
      name: localNameColumn(methods, locale),
      application: localNameColumn(applications, locale),
      applicationId: methods.applicationId,
    })
    .from(methods)
    .leftJoin(applications, eq(applications.id, methods.applicationId))
    .where(inArray(methods.id, [...ids]))
    .orderBy(methods.kind, asc(methods.applicationId), methods.code)

/** Returns the name of a schema in a language. */
export async function selectSchemaName(id: string, locale: string): Promise<string> {
  const [row] = await db()
    .select({ name: localNameColumn(authenticationSchemas, locale) })
    .from(authenticationSchemas)
    .where(eq(authenticationSchemas.id, id))
  return row?.name ?? ''
}

/** Returns whether there is such an account. */
export const isAccount = async (id: string): Promise<boolean> =>
  (await db().select({ id: users.id }).from(users).where(eq(users.id, id))).length > 0
