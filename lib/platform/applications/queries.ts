import { and, eq, isNotNull } from 'drizzle-orm'
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

export const storeEnabled = (tx: Transaction, id: string, enabled: boolean) =>
  tx.update(applications).set({ enabled }).where(eq(applications.id, id))

export const enabledAddresses = () =>
  db()
    .select({ url: applications.url })
    .from(applications)
    .where(and(eq(applications.enabled, true), isNotNull(applications.url)))
