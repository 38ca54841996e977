import { randomInt, randomUUID } from 'node:crypto'
import { and, eq, inArray, ne } from 'drizzle-orm'
import { db } from '@/db/client'
import {
  authenticationSchemaRoles,
  authenticationSchemas,
  deviceTypes,
  domains,
  userIdentifiers,
  userRoles,
  users,
} from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import type { FlowId } from '@/lib/sign-in/attempts/contract'
import { first } from './platform'
import { plantRole, shippedRole, signedInAdministrator } from './roles'

/** Somebody who may do everything. */
export const administrator = async () => (await signedInAdministrator()).caller

/** Makes this person the last administrator who could sign in, by login, e-mail and password. */
export async function lastAdministrator(userId: string) {
  const roleId = await shippedRole('administrator')
  await db().insert(userRoles).values({ userId, roleId }).onConflictDoNothing()
  const holders = db().select({ id: userRoles.userId }).from(userRoles).where(eq(userRoles.roleId, roleId))
  await db()
    .update(users)
    .set({ passwordHash: null, email: null, mobile: null })
    .where(and(inArray(users.id, holders), ne(users.id, userId)))
  await db().update(users).set({ mobile: null }).where(eq(users.id, userId))
}

/** Ties a schema that comes before all others to a role. */
export async function tie(roleId: string, flow: FlowId, before = 0, secondFactor: FlowId[] = []) {
  const values = { code: randomUUID(), name: randomUUID(), firstFactor: [flow], secondFactor, active: true }
  const priority = -randomInt(1_000_000) - before
  const schema = first(
    await db()
      .insert(authenticationSchemas)
      .values({ ...values, priority })
      .returning(),
  )
  await db().insert(authenticationSchemaRoles).values({ schemaId: schema.id, roleId })
  dropCached('authentication-schemas')
}

/**
 * Makes this person the last administrator who could sign in, as long as they don't get this role. Who gives it may be an
 * administrator too, who can't.
 */
export async function shutOutBy(userId: string, roleId: string, giverId?: string) {
  const administers = await shippedRole('administrator')
  if (giverId) await db().insert(userRoles).values({ userId: giverId, roleId: administers })
  await lastAdministrator(userId)
  await tie(roleId, 'sms_code')
}

/** Makes this person the last administrator who could sign in, as long as they hold this role. */
export async function letInBy(userId: string, roleId: string) {
  await lastAdministrator(userId)
  const other = await plantRole([])
  await db().insert(userRoles).values({ userId, roleId: other.id })
  await tie(other.id, 'sms_code')
  await tie(roleId, 'credentials', 1_000_000)
}

/**
 * Makes this person, who is known by their mobile alone, the last administrator who could sign in, and only on this
 * domain. Returns the limits of all others.
 */
export async function letInOn(domainId: string, userId: string) {
  await lastAdministrator(userId)
  await db()
    .update(userIdentifiers)
    .set({ kind: 'mobile', value: `+7${randomInt(1_000_000_000, 9_999_999_999)}` })
    .where(and(eq(userIdentifiers.userId, userId), eq(userIdentifiers.kind, 'login')))
  await db()
    .delete(userIdentifiers)
    .where(and(eq(userIdentifiers.userId, userId), ne(userIdentifiers.kind, 'mobile')))
  const types = await db().select().from(deviceTypes)
  const devicesIdAttributes = Object.fromEntries(types.map(({ id }) => [id, ['login' as const, 'email' as const]]))
  await db().update(domains).set({ devicesIdAttributes }).where(ne(domains.id, domainId))
  return { devicesIdAttributes }
}

/**
 * Makes this person, whose second factor is an authenticator app or an SMS that can't be sent in production, the last
 * administrator who could sign in.
 */
export async function letInByApp(userId: string) {
  await lastAdministrator(userId)
  const other = await plantRole([])
  await db().insert(userRoles).values({ userId, roleId: other.id })
  await db().update(users).set({ mobile: '+79110009988' }).where(eq(users.id, userId))
  await tie(other.id, 'credentials', 1_000_000, ['totp', 'sms_code'])
}
