import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { firstAdministrator, makeAdministrator } from '@/bin/administrator'
import { db } from '@/db/client'
import { passwordFailures, sessions } from '@/db/schema/entry'
import { history } from '@/db/schema/operations'
import { roles, userRoles, users } from '@/db/schema/people'
import { parseEnv } from '@/lib/base/runtime/env'
import { Browser } from '../../factories/browser'
import { prove, signedInStatus, signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const administrators = () =>
  db()
    .select({ login: users.login, temporary: users.temporary, enabled: users.enabled })
    .from(users)
    .innerJoin(userRoles, eq(userRoles.userId, users.id))
    .innerJoin(roles, and(eq(roles.id, userRoles.roleId), eq(roles.code, 'administrator')))
    .orderBy(users.login)
const named = { ADMIN_LOGIN: 'First.Admin', ADMIN_EMAIL: 'first@polaris.example', ADMIN_PASSWORD: 'Sturdy-anchor-42' }

describe('the first administrator, from the environment', () => {
  test('is created once, however many servers start at once', async () => {
    const config = parseEnv({ ...process.env, ...named })
    await Promise.all([firstAdministrator(config), firstAdministrator(config), firstAdministrator(config)])
    expect(await administrators()).toEqual([{ login: 'first.admin', temporary: true, enabled: true }])
    await firstAdministrator(parseEnv({ ...process.env, ...named, ADMIN_LOGIN: 'second.admin' }))
    expect(await administrators()).toHaveLength(1)
  })

  test('signs in with the password that the environment names', async () => {
    const browser = new Browser()
    expect(await signInByPassword(browser, 'first.admin', named.ADMIN_PASSWORD)).toMatchObject({
      body: { next: 'done' },
    })
    expect(await signedInStatus(browser)).toBe(200)
  })
})

describe('admin:create', () => {
  test('generates a password that must be changed at the first sign-in', async () => {
    const made = await makeAdministrator({ login: 'Rescue', email: 'Rescue@polaris.example' })
    expect(made.login).toBe('rescue')
    expect(made.password).toMatch(/^(\w{5}-){3}\w{5}$/)
    expect(made.password).not.toMatch(/[0Ol1I]/)
    const answer = await signInByPassword(new Browser(), 'rescue', made.password)
    expect(answer.body).toMatchObject({ next: 'set_password' })
  })

  test('restores an account after a lock-out, and ends its sessions', async () => {
    const user = await createUser()
    const browser = new Browser()
    await signInByPassword(browser, user.login, password)
    expect(await signedInStatus(browser)).toBe(200)
    await db().update(users).set({ enabled: false }).where(eq(users.id, user.id))
    // strangers have also closed the password flow
    const closed = { key: `account ${user.id}`, userId: user.id, count: 100, lastAt: new Date() }
    await db().insert(passwordFailures).values(closed)

    const made = await makeAdministrator({ login: user.login, email: user.email, password: 'Sturdy-anchor-42' })
    expect(made).toEqual({ login: user.login, password: 'Sturdy-anchor-42' })
    expect(await signedInStatus(browser)).toBe(401)
    const [session] = await db().select().from(sessions).where(eq(sessions.userId, user.id))
    expect(session?.endedAt).toBeInstanceOf(Date)
    const again = new Browser()
    expect((await signInByPassword(again, user.email, 'Sturdy-anchor-42', 'email')).body).toMatchObject({
      next: 'done',
    })
    expect(await administrators()).toContainEqual({ login: user.login, temporary: true, enabled: true })
    expect((await prove(new Browser(), user.login, { password })).status).toBe(400)
  })

  test('is recorded in the history, without the password', async () => {
    const user = await createUser()
    await makeAdministrator({ login: user.login, email: user.email })
    const [administrator] = await db().select().from(roles).where(eq(roles.code, 'administrator'))
    const rows = await db()
      .select({ type: history.type, field: history.field, current: history.current, changerId: history.changerId })
      .from(history)
      .where(and(eq(history.entityId, user.id), eq(history.entity, 'users')))
      .orderBy(history.field)
    expect(rows).toEqual([
      { type: 'update', field: 'password', current: '***', changerId: null },
      { type: 'update', field: 'roles', current: expect.arrayContaining([administrator?.id]), changerId: null },
      { type: 'update', field: 'temporary', current: true, changerId: null },
    ])
  })

  test('changes nothing of other accounts', async () => {
    const [one, other] = [await createUser(), await createUser()]
    await expect(makeAdministrator({ login: one.login, email: other.email })).rejects.toThrow(
      'belongs to another account',
    )
    await expect(makeAdministrator({ login: 'fresh', email: 'no mail' })).rejects.toMatchObject({ status: 400 })
    expect(await administrators()).not.toContainEqual(expect.objectContaining({ login: one.login }))
  })
})
