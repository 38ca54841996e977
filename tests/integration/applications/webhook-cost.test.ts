import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type Database, db, withSession } from '@/db/client'
import { outboxDeliveries, webhookDeliveries } from '@/db/schema'
import { addHolders } from '@/lib/accounts/role-holders/service'
import { setAside } from '@/lib/applications/webhooks/send-event'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { deliver } from '@/lib/base/events/delivery/deliver'
import { createContext } from '../../factories/context'
import { plantRole } from '../../factories/roles'
import { statementsOf } from '../../factories/statements'
import { createUser } from '../../factories/users'
import { startReceiver } from '../../factories/webhook-receiver'
import { createHook, happen } from '../../factories/webhooks'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

test('a message needs four statements, and each further one of its object two; they have four texts, which are planned once', async () => {
  const receiver = await startReceiver()
  const hook = await createHook(receiver.url)
  const deliveryOf = async (count: number) => {
    const entityId = randomUUID()
    for (let n = 0; n < count; n++) await happen({ id: entityId })
    return statementsOf(() => deliver({ handler: `webhook:${hook.webhookId}`, entity: 'users', entityId }))
  }
  // connections are opened
  await deliveryOf(1)
  const [one, four] = [await deliveryOf(1), await deliveryOf(4)]
  expect(one, one.join('\n\n')).toHaveLength(4)
  expect(four, four.join('\n\n')).toHaveLength(10)
  expect(new Set([...one, ...four]).size).toBe(4)
  expect(receiver.received).toHaveLength(6)
})

test('a role that is given to thirty people costs as many statements as for one, while a webhook hears of each', async () => {
  const hook = await createHook((await startReceiver()).url, { types: ['user.updated', 'role.updated'] })
  const ctx = await createContext({ methods: [...systemicMethods] })
  const give = async (count: number) => {
    const role = await plantRole([])
    const people = await Promise.all(Array.from({ length: count }, () => createUser({ roles: [] })))
    const users = people.map(({ id }) => id)
    const sent = await statementsOf(() => addHolders(ctx, { params: { id: role.id }, body: { users } }))
    const heard = await db().$count(
      outboxDeliveries,
      and(
        eq(outboxDeliveries.handler, `webhook:${hook.webhookId}`),
        inArray(outboxDeliveries.entityId, [...users, role.id]),
      ),
    )
    expect(heard).toBe(2 * count)
    return sent.length
  }
  // connections are opened and caches filled
  await give(2)
  expect(await give(30)).toBe(await give(1))
})

test('what is set aside thirty times while it is sent ends, and nobody is the victim of a deadlock', async () => {
  const aside: Promise<unknown>[] = []
  let webhookId = ''
  const receiver = await startReceiver((_, count) => {
    if (count % 7 === 0) aside.push(db().transaction((tx) => setAside(tx, webhookId)))
    return 204
  })
  webhookId = (await createHook(receiver.url)).webhookId
  const objects = Array.from({ length: 4 }, () => randomUUID())
  while (aside.length < 30) {
    for (let n = 0; n < 4; n++) for (const id of objects) await happen({ id })
    const handler = `webhook:${webhookId}`
    await Promise.all(objects.map((entityId) => deliver({ handler, entity: 'users', entityId })))
    await Promise.all(aside)
  }
  const states = await db()
    .selectDistinct({ state: outboxDeliveries.state })
    .from(outboxDeliveries)
    .where(eq(outboxDeliveries.handler, `webhook:${webhookId}`))
  expect(states.map(({ state }) => state).toSorted()).toEqual(['delivered', 'skipped'])
  const logged = await db()
    .selectDistinct({ status: webhookDeliveries.status })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.webhookId, webhookId))
  // sent, or set aside before its answer was stored
  expect(logged.map(({ status }) => status).toSorted()).toEqual(['failure', 'success'])
})

test('work on its own connection uses what was made for the connection, and no transaction reads all tables of the schema', async () => {
  const made = new Set<Database>()
  for (let n = 0; n < 50; n++) await withSession(async (session) => void made.add(session))
  expect(made.size).toBe(1)
  for (const each of [db(), ...made]) expect(each._.schema).toBeUndefined()
})
