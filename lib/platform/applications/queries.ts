import { and, eq, isNotNull, max } from 'drizzle-orm'
import { db, type Transaction } from '@/db/client'
import { applicationServiceMethods } from '@/db/schema/oidc'
import { methods } from '@/db/schema/people'
import { applications } from '@/db/schema/platform'

/** An application held for a change of it or of what is its; undefined when there is none. */
export async function lockApplication(tx: Transaction, id: string) {
  const [row] = await tx
    .select({
      id: applications.id,
      type: applications.type,
      enabled: applications.enabled,
      actionsAccess: applications.actionsAccess,
    })
    .from(applications)
    .where(eq(applications.id, id))
    .for('no key update')
  return row
}

/** The methods that the application's service account holds. */
export const serviceMethodsOf = (tx: Transaction, id: string) =>
  tx
    .select({ id: methods.id, code: methods.code, kind: methods.kind })
    .from(applicationServiceMethods)
    .innerJoin(methods, eq(methods.id, applicationServiceMethods.methodId))
    .where(eq(applicationServiceMethods.applicationId, id))
    .orderBy(methods.code)

/** Stores a new application behind the others; undefined when its code is taken. */
export async function insertApplication(tx: Transaction, values: Omit<typeof applications.$inferInsert, 'order'>) {
  const [last] = await tx.select({ order: max(applications.order) }).from(applications)
  const [row] = await tx
    .insert(applications)
    .values({ ...values, order: (last?.order ?? -1) + 1 })
    .onConflictDoNothing({ target: applications.code })
    .returning({ id: applications.id, code: applications.code })
  return row
}

/** The application of a code; undefined when there is none. */
export async function applicationByCode(code: string) {
  const [row] = await db().select({ id: applications.id }).from(applications).where(eq(applications.code, code))
  return row
}

/** What `switchEnabled` switches. */
export const applicationRows = { table: applications }

export const enabledAddresses = () =>
  db()
    .select({ url: applications.url })
    .from(applications)
    .where(and(eq(applications.enabled, true), isNotNull(applications.url)))
