import { and, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { applicationServiceMethods } from '@/db/schema/oidc'
import { methods } from '@/db/schema/people'
import { applications } from '@/db/schema/platform'

/** Returns the enabled applications with an address, with their methods. */
export const selectAddressedApplications = () =>
  db()
    .select({
      id: applications.id,
      url: sql<string>`${applications.url}`,
      methods: sql<{ id: string; code: string }[]>`coalesce((
        select json_agg(json_build_object('id', m.id, 'code', m.code) order by m.code)
        from ${methods} m where m.application_id = ${applications}.id
      ), '[]')`,
    })
    .from(applications)
    .where(and(applications.enabled, ne(applications.type, 'draft'), isNotNull(applications.url)))
    .orderBy(applications.createdAt)

/** Returns the ids of the methods that an application's service account holds. */
export async function selectServiceMethodIds(applicationId: string): Promise<Set<string>> {
  const rows = await db()
    .select({ id: applicationServiceMethods.methodId })
    .from(applicationServiceMethods)
    .where(eq(applicationServiceMethods.applicationId, applicationId))
  return new Set(rows.map(({ id }) => id))
}
