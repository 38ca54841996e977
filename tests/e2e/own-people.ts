import { randomInt } from 'node:crypto'
import { basename } from 'node:path'
import { test } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { userContractorRoles, userContractors, userRoles, users } from '@/db/schema'
import { syncIdentifiers } from '@/lib/accounts/users/identifiers'
import { demoPeople, type Kind } from '../factories/demo'

const byLogin = async (login: string) => {
  const [user] = await db().select().from(users).where(eq(users.login, login))
  return user
}

/** Returns the account with a login; throws if there is none. */
export async function accountOf(login: string) {
  const user = await byLogin(login)
  if (!user) throw new Error(`there is no account ${login}`)
  return user
}
export type Account = Awaited<ReturnType<typeof accountOf>>

/**
 * Returns an account of this kind that only the running test file uses, such as `roles-administrator`; makes it at the
 * first call. What one file does to its people, no other file sees.
 */
export async function ownPerson(kind: Kind): Promise<Account> {
  const file = basename(test.info().file).replace(/(\.server|\.global)?\.spec\.ts$/, '')
  const login = `${file}-${kind}`.toLowerCase()
  const made = await byLogin(login)
  if (made) return made
  const { id: model, ...row } = await accountOf(demoPeople[kind].login)
  return db().transaction(async (tx) => {
    const [user] = await tx
      .insert(users)
      .values({
        ...row,
        login,
        email: row.email && `${login}@polaris.example`,
        mobile: row.mobile && `+7957${randomInt(1_000_000, 9_999_999)}`,
        lastName: `${row.lastName}-${file}`,
        fio: [`${row.lastName}-${file}`, row.firstName, row.middleName].filter(Boolean).join(' '),
      })
      .returning()
    if (!user) throw new Error('no user was made')
    const ofModel = { roles: eq(userRoles.userId, model), contractors: eq(userContractors.userId, model) }
    for (const { roleId, organizationId } of await tx.select().from(userRoles).where(ofModel.roles))
      await tx.insert(userRoles).values({ userId: user.id, roleId, organizationId })
    for (const { contractorId } of await tx.select().from(userContractors).where(ofModel.contractors))
      await tx.insert(userContractors).values({ userId: user.id, contractorId })
    for (const role of await tx.select().from(userContractorRoles).where(eq(userContractorRoles.userId, model)))
      await tx.insert(userContractorRoles).values({ ...role, userId: user.id })
    await syncIdentifiers(tx, [user.id])
    return user
  })
}
