import { and, eq, isNotNull, max } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { applicationServiceMethods } from '@/db/schema/oidc'
import { methods } from '@/db/schema/people'
import { applications } from '@/db/schema/platform'

/** Locks an application for a change of it or of its clients; undefined if there is none. */
export async function lockApplicationRow(tx: Transaction, id: string) {
  const [row] = await tx
    .select({
      id: applications.id,
      type: applications.type,
      enabled: applications.enabled,
      actionsAccess: applications.actionsAccess,
      iconId: applications.iconId,
    })
    .from(applications)
    .where(eq(applications.id, id))
    .for('no key update')
  return row
}

/** Returns the methods that the application's service account holds. */
export const selectServiceMethods = (tx: Transaction, id: string) =>
  tx
    .select({ id: methods.id, code: methods.code, kind: methods.kind })
    .from(applicationServiceMethods)
    .innerJoin(methods, eq(methods.id, applicationServiceMethods.methodId))
    .where(eq(applicationServiceMethods.applicationId, id))
    .orderBy(methods.code)

/** Inserts a new application after the others; undefined if its code is taken. */
export async function insertApplication(tx: Transaction, values: Omit<typeof applications.$inferInsert, 'order'>) {
  const [last] = await tx.select({ order: max(applications.order) }).from(applications)
  const [row] = await tx
    .insert(applications)
    .values({ ...values, order: (last?.order ?? -1) + 1 })
    .onConflictDoNothing({ target: applications.code })
    .returning({ id: applications.id, code: applications.code })
  return row
}

/** Stores values of a locked application. */
export const storeApplication = (tx: Transaction, id: string, values: Partial<typeof applications.$inferInsert>) =>
  tx.update(applications).set(values).where(eq(applications.id, id))

export const isApplication = async (id: string): Promise<boolean> =>
  (await db().$count(applications, eq(applications.id, id))) > 0

/** Returns the id of the application with this code; undefined if there is none. */
export async function selectApplicationByCode(code: string) {
  const [row] = await db().select({ id: applications.id }).from(applications).where(eq(applications.code, code))
  return row
}

/** The rows that `switchEnabled` may switch. */
export const applicationRows = { table: applications }

export const selectEnabledAddresses = () =>
  db()
    .select({ url: applications.url })
    .from(applications)
    .where(and(eq(applications.enabled, true), isNotNull(applications.url)))
