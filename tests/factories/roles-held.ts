import { randomUUID } from 'node:crypto'
import { inArray } from 'drizzle-orm'
import { db } from '@/db/client'
import { methods, roleMethods, roles, userRoles } from '@/db/schema'
import { first } from './platform'
import { createUser } from './users'

/** An organizational role that carries these systemic methods. */
export async function createOrganizationalRole(codes: readonly string[] = []) {
  const role = first(
    await db()
      .insert(roles)
      .values({ name: `Роль ${randomUUID()}`, nameEn: 'Role', roleType: 'organizational' })
      .returning(),
  )
  const carried =
    codes.length > 0
      ? await db()
          .select()
          .from(methods)
          .where(inArray(methods.code, [...codes]))
      : []
  if (carried.length > 0)
    await db()
      .insert(roleMethods)
      .values(carried.map(({ id }) => ({ roleId: role.id, methodId: id })))
  return role
}

/** Gives somebody, by default a new account, an organizational role with these methods in an organization. */
export async function holdInOrganization(organizationId: string, codes: readonly string[] = [], userId?: string) {
  const [role, holder] = [await createOrganizationalRole(codes), userId ?? (await createUser({ roles: [] })).id]
  await db().insert(userRoles).values({ userId: holder, roleId: role.id, organizationId })
  return { role, userId: holder }
}
