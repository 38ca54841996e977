import { db } from '@/db/client'
import { accessRequestRoles, accessRequests } from '@/db/schema'
import { demoPassword } from '@/db/seed/demo/accounts'
import { hashPassword } from '@/lib/base/crypto/password'
import { createUser } from './users'

/** Somebody without any role but `user`, as whoever has just registered. */
export const newcomer = async (wishes: Parameters<typeof createUser>[0] = {}) =>
  createUser({ roles: ['user'], passwordHash: await hashPassword(demoPassword), ...wishes })

type Wishes = {
  status?: (typeof accessRequests.$inferInsert)['status']
  roleIds?: string[]
  reason?: string
}

/** Stores requests of a person for these companies, as if they had asked. Returns their ids. */
export async function createCompanyRequests(
  userId: string,
  companies: readonly { name: string; inn: string | null }[],
  { status = 'considered', roleIds = [], reason = '' }: Wishes = {},
): Promise<string[]> {
  const ids: string[] = []
  for (const { name, inn } of companies) {
    const finishedAt = status === 'considered' ? null : new Date()
    const [row] = await db()
      .insert(accessRequests)
      .values({ userId, name, inn: inn ?? '', status, reason, finishedAt })
      .returning({ id: accessRequests.id })
    if (!row) throw new Error('the request was not stored')
    ids.push(row.id)
    if (roleIds.length > 0)
      await db()
        .insert(accessRequestRoles)
        .values(roleIds.map((roleId) => ({ requestId: row.id, roleId })))
  }
  return ids
}
