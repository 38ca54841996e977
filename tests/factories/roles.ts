import { randomUUID } from 'node:crypto'
import { and, eq, inArray, ne } from 'drizzle-orm'
import { db } from '@/db/client'
import { applications, methods, roleMethods, roles, userRoles, users } from '@/db/schema'
import type { RoleType } from '@/lib/access/roles/contract'
import { Browser } from './browser'
import { Caller } from './caller'
import { first } from './platform'
import { startSessionOf } from './sign-in'
import { createUser } from './users'

/** Ids of systemic methods by their codes. */
export const methodIdsOf = async (...codes: string[]): Promise<string[]> =>
  (await db().select({ id: methods.id }).from(methods).where(inArray(methods.code, codes))).map(({ id }) => id)

/** A role of any type with these methods, stored as it is. */
export async function plantRole(methodIds: string[], roleType: RoleType = 'systemic') {
  const role = first(
    await db()
      .insert(roles)
      .values({ name: `Роль ${randomUUID()}`, roleType })
      .returning(),
  )
  if (methodIds.length > 0)
    await db()
      .insert(roleMethods)
      .values(methodIds.map((methodId) => ({ roleId: role.id, methodId })))
  return role
}

/** An application with one method of its own. */
export async function plantApplicationMethod() {
  const code = `app-${randomUUID()}`
  const application = first(
    await db().insert(applications).values({ type: 'external', code, name: code, description: '' }).returning(),
  )
  const method = first(
    await db()
      .insert(methods)
      .values({ code: 'own.read', name: 'Чтение', kind: 'application', applicationId: application.id })
      .returning(),
  )
  return { application, method }
}

/** The id of a shipped role. */
export const shippedRole = async (code: string) =>
  first(await db().select({ id: roles.id }).from(roles).where(eq(roles.code, code))).id

/** A new administrator who is signed in; `alone`: all others are disabled. */
export async function signedInAdministrator(alone = false) {
  const user = await createUser({ roles: ['administrator'] })
  const browser = new Browser()
  await startSessionOf(browser, user.id)
  const holders = db()
    .select({ id: userRoles.userId })
    .from(userRoles)
    .where(eq(userRoles.roleId, await shippedRole('administrator')))
  if (alone)
    await db()
      .update(users)
      .set({ enabled: false })
      .where(and(inArray(users.id, holders), ne(users.id, user.id)))
  return { user, caller: new Caller(browser) }
}
