import { randomUUID } from 'node:crypto'
import { inArray } from 'drizzle-orm'
import { db } from '@/db/client'
import { methods, roleMethods, roles } from '@/db/schema'
import { Browser } from './browser'
import { startSessionOf } from './sign-in'
import { createUser } from './users'

/** Creates a systemic role with only these methods. Returns its code. */
export async function createRoleWith(codes: readonly string[]) {
  const code = `role-${randomUUID()}`
  await db().transaction(async (tx) => {
    const [role] = await tx.insert(roles).values({ code, name: code, roleType: 'systemic' }).returning()
    const rows = await tx
      .select({ id: methods.id })
      .from(methods)
      .where(inArray(methods.code, [...codes]))
    if (!role || rows.length !== codes.length) throw new Error(`there are not all of ${codes}`)
    if (rows.length > 0) await tx.insert(roleMethods).values(rows.map(({ id }) => ({ roleId: role.id, methodId: id })))
  })
  return code
}

async function signedInAs(roles: string[], browser: Browser) {
  const user = await createUser({ roles })
  await startSessionOf(browser, user.id)
  return { user, browser }
}

/** A signed-in person who holds only these methods, with their browser. */
export const signedInWith = async (codes: readonly string[] = [], browser = new Browser()) =>
  signedInAs(codes.length > 0 ? [await createRoleWith(codes)] : ['user'], browser)

/** A signed-in administrator, with their browser. */
export const signedInAsAdministrator = (browser = new Browser()) => signedInAs(['administrator'], browser)
