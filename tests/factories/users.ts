import { randomInt } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { authenticationSchemaRoles, authenticationSchemas, roles, userRoles, users } from '@/db/schema'
import { syncIdentifiers } from '@/lib/accounts/users/identifiers'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import { hashPassword } from '@/lib/base/crypto/password'

export const password = 'Correct-horse-7'
let hash: Promise<string> | undefined
// starts at a random number, because a restarted worker finds the data of the one before
let made = randomInt(8_000_000)

type Wishes = Partial<typeof users.$inferInsert> & { roles?: string[] }

/**
 * Creates an account that can sign in with `password`, with its own names, e-mail and mobile. `roles` are codes of
 * roles.
 */
export async function createUser({ roles: codes = ['user'], ...wishes }: Wishes = {}) {
  made++
  hash ??= hashPassword(password)
  const values = {
    login: `person.${made}`,
    email: `person.${made}@polaris.example`,
    mobile: `+7958${String(1_000_000 + made)}`,
    firstName: 'Анна',
    lastName: `Петрова ${made}`,
    middleName: 'Сергеевна',
    fio: `Петрова ${made} Анна Сергеевна`,
    passwordHash: await hash,
    ...wishes,
  }
  return db().transaction(async (tx) => {
    const [user] = await tx.insert(users).values(values).returning()
    if (!user) throw new Error('no user was made')
    for (const code of codes) {
      const [role] = await tx.select({ id: roles.id }).from(roles).where(eq(roles.code, code))
      if (!role) throw new Error(`there is no role ${code}`)
      await tx.insert(userRoles).values({ userId: user.id, roleId: role.id })
    }
    await syncIdentifiers(tx, [user.id])
    return { ...user, email: values.email as string, mobile: values.mobile as string }
  })
}

/** Creates a role, and on request a schema for it. */
export async function createRole(schema?: { firstFactor: string[]; secondFactor?: string[] }) {
  made++
  const code = `test-role-${made}`
  await db().transaction(async (tx) => {
    const [role] = await tx.insert(roles).values({ code, name: code, roleType: 'systemic' }).returning()
    if (!role || !schema) return
    const [row] = await tx
      .insert(authenticationSchemas)
      .values({ code, name: code, priority: made, ...schema })
      .returning()
    if (row) await tx.insert(authenticationSchemaRoles).values({ schemaId: row.id, roleId: role.id })
    await invalidate(tx, 'authentication-schemas')
  })
  dropCached('authentication-schemas')
  return code
}
