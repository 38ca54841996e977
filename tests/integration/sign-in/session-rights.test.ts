import { and, eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { roles, sessions, userRoles } from '@/db/schema'
import { subscribe } from '@/lib/base/cache/live-events'
import { ensureListening } from '@/lib/base/cache/notifications'
import { redis } from '@/lib/base/redis/redis'
import { invalidateSessions } from '@/lib/sign-in/sessions/service'
import { Browser } from '../../factories/browser'
import { contextOf } from '../../factories/invitations'
import { inOtherProcess } from '../../factories/other-process'
import { first } from '../../factories/platform'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { withoutRedis } from '../../factories/redis-away'
import { signedInStatus, signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
beforeEach(async () => {
  expect(await ensureListening()).toBe(true)
})

const auditorId = async () => first(await db().select({ id: roles.id }).from(roles).where(eq(roles.code, 'auditor'))).id

/** A signed-in person, whose rights change with the role of auditors. */
async function somebody() {
  const [user, browser, roleId] = [await createUser(), new Browser(), await auditorId()]
  await signInByPassword(browser, user.login, password)
  const mayRead = async () => (await contextOf(browser)).user?.methods.has('users.read')
  const setAuditor = async (isHeld: boolean) => {
    const refresh = await db().transaction(async (tx) => {
      const mine = and(eq(userRoles.userId, user.id), eq(userRoles.roleId, roleId))
      await (isHeld ? tx.insert(userRoles).values({ userId: user.id, roleId }) : tx.delete(userRoles).where(mine))
      return invalidateSessions(tx, user.id, new Date())
    })
    await refresh()
  }
  const sessionId = first(await db().select().from(sessions).where(eq(sessions.userId, user.id))).id
  return { user, browser, mayRead, setAuditor, roleId, sessionId }
}

const real = redis
const undo: (() => void)[] = []
afterEach(() => {
  for (const one of undo.splice(0)) one()
})

/** Delays the storing of sessions until it is released: Redis is slow, or the process is. */
function holdStoring() {
  const client = real()
  const send = client.sendCommand
  const heldCommands: (() => void)[] = []
  let holding = true
  client.sendCommand = function (this: typeof client, command, stream) {
    const stores =
      /^(set|eval)$/i.test(command.name) && command.args.some((arg) => String(arg).startsWith('principal:'))
    if (!holding || !stores) return send.call(this, command, stream)
    heldCommands.push(() => send.call(this, command, stream))
    return command.promise
  }
  undo.push(() => {
    client.sendCommand = send
  })
  return {
    held: () => heldCommands.length,
    letGo() {
      holding = false
      for (const one of heldCommands.splice(0)) one()
    },
  }
}

describe('a session whose rights changed', () => {
  test('doesn’t get rights that a reader had read before the change and stored after it', async () => {
    for (const change of [true, false, true]) {
      const { mayRead, setAuditor, sessionId } = await somebody()
      if (!change) await setAuditor(true)
      await redis().del(`principal:${sessionId}`)
      const storing = holdStoring()
      const slow = mayRead()
      await expect.poll(storing.held).toBe(1)
      await setAuditor(change)
      storing.letGo()
      expect(await slow).toBe(!change)
      // the outdated copy is in Redis now, and nobody uses it
      expect(await redis().exists(`principal:${sessionId}`)).toBe(1)
      expect(await mayRead()).toBe(change)
      for (const one of undo.splice(0)) one()
    }
  })

  test('has them at once even if Redis was unavailable at the change', async () => {
    const { mayRead, setAuditor } = await somebody()
    expect(await mayRead()).toBe(false)
    await withoutRedis(() => setAuditor(true))
    expect(await mayRead()).toBe(true)
    await withoutRedis(() => setAuditor(false))
    expect(await mayRead()).toBe(false)
  })

  test('has them within a second if another process without Redis changed them', async () => {
    const { user, mayRead, roleId } = await somebody()
    expect(await mayRead()).toBe(false)
    await inOtherProcess(
      `const { db } = await load('db/client.ts')
       const { invalidateSessions } = await load('lib/sign-in/sessions/service.ts')
       const { userRoles } = await load('db/schema/people.ts')
       const refresh = await db().transaction(async (tx) => {
         await tx.insert(userRoles).values({ userId: '${user.id}', roleId: '${roleId}' })
         return invalidateSessions(tx, '${user.id}', new Date())
       })
       await refresh()`,
      { REDIS_URL: 'redis://127.0.0.1:1' },
    )
    await expect.poll(mayRead, { timeout: 1_000 }).toBe(true)
  })

  test('has them even if the process missed the change while its connection was lost', async () => {
    const { user, mayRead, roleId, sessionId } = await somebody()
    expect(await mayRead()).toBe(false)
    const cached = (await redis().get(`principal:${sessionId}`)) ?? ''
    // an open page is closed as soon as the process notices the loss
    const { promise: noticed, resolve: close } = Promise.withResolvers<void>()
    const leave = await subscribe({ userId: user.id, sessionId, send: () => {}, close })
    expect(leave).not.toBeNull()
    await db().execute(
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'platform notifications' and datname = current_database()`,
    )
    await noticed
    leave?.()
    await db().insert(userRoles).values({ userId: user.id, roleId })
    expect(await mayRead()).toBe(true)
    // older copies stay invalid, even when changes arrive again
    await expect.poll(ensureListening).toBe(true)
    await redis().set(`principal:${sessionId}`, cached, 'EX', 60)
    expect(await mayRead()).toBe(true)
  })

  test('has the current rights after any sequence of readers, changes and failures of Redis', async () => {
    const { mayRead, setAuditor, sessionId } = await somebody()
    let reading = true
    const random = caseNumbers(20_251)
    const readers = Array.from({ length: 8 }, async () => {
      while (reading) await mayRead()
    })
    let isHeld = false
    for (const _ of eachRound(60)) {
      isHeld = !isHeld
      if (random(3) === 0) await withoutRedis(() => setAuditor(isHeld))
      else await setAuditor(isHeld)
      if (random(4) === 0) await redis().del(`principal:${sessionId}`)
      const seen = await Promise.all(Array.from({ length: 1 + random(4) }, mayRead))
      expect(seen).toEqual(seen.map(() => isHeld))
    }
    reading = false
    await Promise.all(readers)
  })
})

test('ended by another process without Redis is over within a second', async () => {
  const { browser, sessionId } = await somebody()
  expect(await signedInStatus(browser)).toBe(200)
  await inOtherProcess(
    `const { db } = await load('db/client.ts')
     const { endSessionRows } = await load('lib/sign-in/sessions/queries.ts')
     await db().transaction((tx) => endSessionRows(tx, ['${sessionId}'], { reason: 'test', now: new Date() }))`,
    { REDIS_URL: 'redis://127.0.0.1:1' },
  )
  await expect.poll(() => signedInStatus(browser), { timeout: 1_000 }).toBe(401)
  expect(await redis().get(`principal:${sessionId}`)).not.toBe('ended')
})

test('isn’t read from a value that another version stored without the time of reading', async () => {
  const { mayRead, setAuditor, sessionId } = await somebody()
  expect(await mayRead()).toBe(false)
  const { at: _at, behind: _behind, ...old } = JSON.parse((await redis().get(`principal:${sessionId}`)) ?? '{}')
  await setAuditor(true)
  await redis().set(`principal:${sessionId}`, JSON.stringify(old), 'EX', 60)
  expect(await mayRead()).toBe(true)
})

test('is read from Redis without a change, and the database gets no query', async () => {
  const { mayRead, sessionId } = await somebody()
  await mayRead()
  const cached = JSON.parse((await redis().get(`principal:${sessionId}`)) ?? '{}')
  await redis().set(`principal:${sessionId}`, JSON.stringify({ ...cached, methods: ['users.read'] }), 'EX', 60)
  expect(await mayRead()).toBe(true)
})
