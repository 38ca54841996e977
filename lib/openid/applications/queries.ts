import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { applicationServiceMethods, oidcClients, oidcRecords } from '@/db/schema/oidc'
import { methods } from '@/db/schema/people'
import { applications } from '@/db/schema/platform'

/** Returns the methods of an application's service account, with the name of the application that each belongs to. */
export const selectServiceMethodNames = (applicationId: string) =>
  db()
    .select({
      id: methods.id,
      code: methods.code,
      name: methods.name,
      nameEn: methods.nameEn,
      kind: methods.kind,
      application: applications.name,
    })
    .from(applicationServiceMethods)
    .innerJoin(methods, eq(methods.id, applicationServiceMethods.methodId))
    .leftJoin(applications, eq(applications.id, methods.applicationId))
    .where(eq(applicationServiceMethods.applicationId, applicationId))
    .orderBy(asc(methods.code))

/** Returns how many grants of people are live at the clients of an application. */
export async function countGrants(applicationId: string, now: Date): Promise<number> {
  const clientIds = db()
    .select({ clientId: oidcClients.clientId })
    .from(oidcClients)
    .where(eq(oidcClients.applicationId, applicationId))
  return db().$count(
    oidcRecords,
    and(eq(oidcRecords.model, 'Grant'), gt(oidcRecords.expiresAt, now), inArray(oidcRecords.clientId, clientIds)),
  )
}

/**
 * Deletes an application with what was issued to its clients. The foreign keys delete its clients, methods and domains.
 */
export async function removeApplication(tx: Transaction, id: string) {
  await tx.execute(sql`
    delete from ${oidcRecords} where client_id in (
      select oc.client_id from ${oidcClients} oc where oc.application_id = ${id}
    )`)
  await tx.delete(applications).where(eq(applications.id, id))
}

/** Returns the methods of all applications, by the application's order. */
export const selectApplicationMethods = () =>
  db()
    .select({
      id: methods.id,
      code: methods.code,
      name: methods.name,
      nameEn: methods.nameEn,
      application: {
        id: applications.id,
        code: applications.code,
        name: applications.name,
        nameEn: applications.nameEn,
      },
    })
    .from(methods)
    .innerJoin(applications, eq(applications.id, methods.applicationId))
    .orderBy(asc(applications.order), asc(applications.id), asc(methods.code))

export async function isClient(clientId: string): Promise<boolean> {
  return (await db().$count(oidcClients, eq(oidcClients.clientId, clientId))) > 0
}
