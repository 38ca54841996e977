import { and, eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, outboxEvents, roles, userRoles, users } from '@/db/schema'
import { addHolders } from '@/lib/accounts/role-holders/service'
import type { Ctx } from '@/lib/base/context/ctx'
import { signedInAsAdministrator } from '../../factories/access'
import { createContext } from '../../factories/context'
import { statementsOf } from '../../factories/statements'
import { createRole, createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

async function administrator(): Promise<Ctx> {
  const { user } = await signedInAsAdministrator()
  const ctx = await createContext({ methods: ['roles.read', 'roles.write', 'users.read', 'users.write'] })
  return { ...ctx, user: { ...ctx.user, id: user.id } as NonNullable<Ctx['user']> }
}
const createPeople = (count: number) => Promise.all(Array.from({ length: count }, () => createUser()))
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

test('a role is given to thirty people in as many statements as to three, and each has history, event and version', async () => {
  const ctx = await administrator()
  const code = await createRole()
  const [role] = await db().select().from(roles).where(eq(roles.code, code))
  const roleId = role?.id ?? ''
  const give = async (count: number) => {
    const people = await createPeople(count)
    const ids = idsOf(people)
    const statements = await statementsOf(() => addHolders(ctx, { params: { id: roleId }, body: { users: ids } }))
    expect(await db().$count(userRoles, and(eq(userRoles.roleId, roleId), inArray(userRoles.userId, ids)))).toBe(count)
    const rows = await db()
      .select()
      .from(history)
      .where(inArray(history.entityId, [roleId, ...ids]))
    const events = await db().select().from(outboxEvents).where(inArray(outboxEvents.entityId, ids))
    const versions = new Map(
      (await db().select().from(users).where(inArray(users.id, ids))).map((row) => [row.id, row]),
    )
    for (const { id, updatedAt } of people) {
      expect(rows.filter(({ entityId }) => entityId === id)).toMatchObject([
        { type: 'update', field: 'roles', changerId: ctx.user?.id },
      ])
      const ofRole = rows.filter(({ entityId, current }) => entityId === roleId && JSON.stringify(current).includes(id))
      expect(ofRole).toMatchObject([{ field: 'holders', previous: [], current: [{ userId: id }] }])
      expect(events.filter(({ entityId, topic }) => entityId === id && topic === 'users')).toHaveLength(1)
      expect(versions.get(id)?.updatedAt.getTime()).toBeGreaterThan(updatedAt.getTime())
    }
    return statements
  }
  await give(2)
  const [few, many] = [await give(3), await give(30)]
  expect(many.length, many.join('\n\n')).toBe(few.length)
})
