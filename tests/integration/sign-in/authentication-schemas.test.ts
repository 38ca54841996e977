import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { authenticationSchemas, roles, users } from '@/db/schema'
import { nextFlows, satisfies } from '@/lib/access/authentication-schemas/factors'
import { redis } from '@/lib/base/redis/redis'
import { getUserSettings } from '@/lib/my-account/settings/contract'
import type { FlowId } from '@/lib/sign-in/attempts/contract'
import * as calls from '@/lib/sign-in/schema-administration/contract'
import { listSignIns } from '@/lib/sign-in/sign-in-log/contract'
import { createRoleWith, signedInWith } from '../../factories/access'
import { oneOf30, thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { ask, enter } from '../../factories/codes'
import { lastCodeTo } from '../../factories/messages'
import { inOtherProcess } from '../../factories/other-process'
import { first } from '../../factories/platform'
import { caseNumbers, eachRound, shareOf } from '../../factories/random-cases'
import { signedInAdministrator } from '../../factories/roles'
import { handlerOf } from '../../factories/routes'
import { begin, prove } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const ownSettings = handlerOf(getUserSettings)

useTestDatabase()

const flows: FlowId[] = ['credentials', 'email_code', 'sms_code']
let caller: Caller
beforeAll(async () => {
  caller = new Caller((await signedInWith(['authentication-schemas.write', 'users.read'])).browser)
})
beforeEach(async () => {
  const { schemas } = await caller.call(calls.listAuthenticationSchemas)
  for (const { id, base } of schemas)
    if (!base) await db().delete(authenticationSchemas).where(eq(authenticationSchemas.id, id))
})

const newRole = async () => {
  const code = await createRoleWith([])
  return { code, id: first(await db().select().from(roles).where(eq(roles.code, code))).id }
}
let made = 0
const bodyOf = (more: object = {}) => {
  made++
  return { name: `Схема ${made}`, code: `made-${made}`, firstFactor: ['credentials'] as FlowId[], ...more }
}
const create = (more: object = {}) => caller.call(calls.createAuthenticationSchema, { body: bodyOf(more) })
const list = async () => (await caller.call(calls.listAuthenticationSchemas)).schemas
const above = async () => (await list()).flatMap(({ id, base }) => (base ? [] : [id]))
const offered = async (login: string) => (await begin(new Browser(), login)).body.flows

describe('a change of schemas', () => {
  test('acts in the next sign-in, here and in another process, and in one that has begun', async () => {
    const role = await newRole()
    const { login } = await createUser({ roles: [role.code] })
    expect(await offered(login)).toEqual(['credentials', 'email_code'])
    const begun = new Browser()
    await begin(begun, login)
    const { id } = await create({ secondFactor: ['sms_code'], roles: [role.id] })
    expect(await offered(login)).toEqual(['credentials'])
    // the person who had begun must fulfil what is asked now
    expect(await prove(begun, login, { password })).toMatchObject({ status: 200, body: { next: 'second_factor' } })
    const elsewhere = () =>
      inOtherProcess(`
        const { authenticationSchemas } = await load('lib/access/authentication-schemas/service.ts')
        return (await authenticationSchemas()).filter((schema) => !schema.base).map(({ firstFactor }) => firstFactor)`)
    expect(await elsewhere()).toEqual([['credentials']])
    const body = bodyOf({ firstFactor: ['email_code'], roles: [role.id] })
    await caller.call(calls.updateAuthenticationSchema, { params: { id }, body })
    expect(await offered(login)).toEqual(['email_code'])
    expect(await elsewhere()).toEqual([['email_code']])
  })

  test('the higher of two schemas applies, and the other one after they change places', async () => {
    const role = await newRole()
    const { login } = await createUser({ roles: [role.code] })
    const one = await create({ firstFactor: ['email_code'], roles: [role.id] })
    const other = await create({ firstFactor: ['sms_code'], roles: [role.id] })
    expect(await offered(login)).toEqual(['email_code'])
    expect((await list()).map(({ id, usersCount }) => [id, usersCount]).slice(0, 2)).toEqual([
      [one.id, 1],
      [other.id, 0],
    ])
    const priority = [other.id, one.id].map((id, at) => ({ id, priority: at }))
    await caller.call(calls.orderAuthenticationSchemas, { body: { priority } })
    expect(await offered(login)).toEqual(['sms_code'])
  })

  test('of 30 orders that were read at once one is saved, and the others hear of it', async () => {
    const ids = [await create(), await create(), await create(), await create()].map(({ id }) => id)
    const read = await above()
    expect(read).toEqual(ids)
    const answers = await thirty((n) => {
      const turn = (n % 3) + 1
      const newOrder = [...ids.slice(turn), ...ids.slice(0, turn)]
      const priority = newOrder.map((id, at) => ({ id, priority: at }))
      return caller.send(calls.orderAuthenticationSchemas, { body: { priority, read } })
    })
    expect(answers.map(({ status }) => status).sort()).toEqual(oneOf30)
  })

  test('an order that names a schema twice, none, a foreign one or the base one changes nothing', async () => {
    const ids = [await create(), await create()].map(({ id }) => id)
    const base = first((await list()).filter((schema) => schema.base)).id
    const [one = '', other = ''] = ids
    for (const wrongOrder of [[], [one], [one, one], [one, other, base], [one, base], [one, other, one]]) {
      const priority = wrongOrder.map((id, at) => ({ id, priority: at }))
      const { status } = await caller.send(calls.orderAuthenticationSchemas, { body: { priority } })
      expect([wrongOrder, status]).toEqual([wrongOrder, 409])
    }
    expect(await above()).toEqual(ids)
  })

  test('30 schemas of one name get 30 codes and 30 places', async () => {
    const answers = await thirty(() =>
      caller.send(calls.createAuthenticationSchema, { body: { ...bodyOf(), code: undefined, name: 'Одна' } }),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const rows = (await db().select().from(authenticationSchemas)).filter(({ base }) => !base)
    expect(new Set(rows.map(({ code }) => code)).size).toBe(30)
    expect(rows.map(({ priority }) => priority).sort((a, b) => a - b)).toEqual(rows.map((_, at) => at))
  })

  test('whatever is asked of schemas at random, everybody’s demand can be met, and the base schema stays', async () => {
    const below = caseNumbers(21)
    const someRoles = [await newRole(), await newRole()]
    const some = <T>(all: readonly T[]) => all.filter(() => below(2) === 0)
    const administrator = await signedInAdministrator()
    const careless = administrator.caller
    await db().update(users).set({ mobile: null }).where(eq(users.id, administrator.user.id))
    const statuses: Record<number, number> = {}
    for (const _ of eachRound(120)) {
      const schemas = await list()
      const { id = '', code = '', base = false } = schemas[below(schemas.length)] ?? {}
      const body = {
        ...bodyOf(),
        ...(base ? { code } : {}),
        firstFactor: some(flows),
        secondFactor: some(flows),
        roles: base ? [] : some(someRoles).map((role) => role.id),
      }
      const order = schemas
        .filter((schema) => !schema.base)
        .map((schema, at) => ({ id: schema.id, priority: (at * 7 + below(9)) % 11 }))
      const send = [
        () => careless.send(calls.createAuthenticationSchema, { body: { ...body, active: below(2) === 0 } }),
        () => careless.send(calls.updateAuthenticationSchema, { params: { id }, body }),
        () => careless.send(calls.activateAuthenticationSchema, { params: { id }, body: { active: below(2) === 0 } }),
        () => careless.send(calls.deleteAuthenticationSchema, { params: { id } }),
        () => careless.send(calls.orderAuthenticationSchemas, { body: { priority: order } }),
      ][below(5)]
      const { status = 0 } = (await send?.()) ?? {}
      expect([200, 400, 409]).toContain(status)
      statuses[status] = (statuses[status] ?? 0) + 1

      const after = await list()
      expect(after.filter((schema) => schema.base && schema.active)).toHaveLength(1)
      expect(after.at(-1)?.base).toBe(true)
      for (const { firstFactor, secondFactor, active } of after.filter((schema) => schema.active)) {
        const factors = {
          firstFactor: firstFactor.flatMap((flow) => (flow.enabled ? [flow.id] : [])),
          secondFactor: secondFactor.flatMap((flow) => (flow.enabled ? [flow.id] : [])),
        }
        // two factors are two different flows, whichever way somebody goes
        for (const way of nextFlows([], [factors], flows)) {
          const then = nextFlows([way], [factors], flows)
          expect(then.length > 0 || satisfies([way], factors), JSON.stringify({ factors, active })).toBe(true)
          expect(then).not.toContain(way)
        }
        expect(nextFlows([], [factors], flows)).not.toEqual([])
      }
      const { body: offer } = await caller.send(calls.previewAuthenticationSchema, {
        query: { userId: administrator.user.id },
      })
      expect(offer).toMatchObject({ stuck: false })
    }
    // the rules refuse some, and let most through
    expect(statuses).toMatchObject({ 200: expect.any(Number), 400: expect.any(Number), 409: expect.any(Number) })
  })
})

describe('a sign-in by a schema that was made in the administration', () => {
  test('ends with what the schema asked at its beginning and asks at its end, whatever is tried and changed', async () => {
    const below = caseNumbers(20)
    const some = () => flows.filter(() => below(2) === 0)
    const one = <T>(all: readonly T[]) => all[below(all.length)] as T
    let [done, second, changed] = [0, 0, 0]
    for (const _ of eachRound(24)) {
      await redis().flushdb()
      const role = await newRole()
      const made = await caller.send(calls.createAuthenticationSchema, {
        body: bodyOf({ firstFactor: some(), secondFactor: below(3) === 0 ? [] : some(), roles: [role.id] }),
      })
      if (made.status !== 200) continue
      const asked = async () => {
        const schema = first((await list()).filter(({ id }) => id === made.body.id))
        const enabledFlows = (factor: typeof schema.firstFactor) =>
          factor.flatMap(({ id, enabled }) => (enabled ? [id] : []))
        return {
          code: schema.code,
          firstFactor: enabledFlows(schema.firstFactor),
          secondFactor: enabledFlows(schema.secondFactor),
        }
      }
      const wishes = below(4) === 0 ? { mobile: null } : below(4) === 0 ? { email: null } : {}
      const user = await createUser({ roles: [role.code], ...wishes })
      const [browser, atFirst] = [new Browser(), await asked()]
      let open = (await begin(browser, user.login)).body.flows as FlowId[]
      const proven: FlowId[] = []
      for (let step = 0; step < 6; step++) {
        if (below(5) === 0) {
          changed++
          const { code } = atFirst
          const body = bodyOf({ code, firstFactor: some(), secondFactor: some(), roles: [role.id] })
          await caller.send(calls.updateAuthenticationSchema, { params: { id: made.body.id as string }, body })
        }
        // also a flow that isn't open, or one that was proven already
        const flow = below(4) === 0 ? one(flows) : one(open)
        const answer = await proveBy(browser, user, flow)
        if (answer.status !== 200) continue
        expect(open).toContain(flow)
        proven.push(flow)
        if (answer.body.next === 'done') break
        open = answer.body.flows as FlowId[]
      }
      const { status } = await browser.send(ownSettings, 'GET')
      if (status !== 200) continue
      done++
      if (proven.length > 1) second++
      expect(satisfies(proven, atFirst), JSON.stringify({ proven, atFirst })).toBe(true)
      expect(satisfies(proven, await asked()), JSON.stringify({ proven })).toBe(true)
      const { signIns } = await caller.call(listSignIns, {
        query: { filter: { userId: user.id, success: 'true' } } as never,
      })
      expect(signIns).toMatchObject([{ flows: proven }])
    }
    expect(
      { done: done > shareOf(4), second: second > 0, changed: changed > shareOf(4) },
      JSON.stringify({ done, second, changed }),
    ).toEqual({ done: true, second: true, changed: true })
  })
})

/** Proves a flow as somebody would who has the password, the mailbox and the phone. */
async function proveBy(
  browser: Browser,
  user: { login: string; email: string | null; mobile: string | null },
  flow: FlowId,
) {
  if (flow === 'credentials') return prove(browser, user.login, { password })
  await ask(browser, user.login, flow)
  const recipient = flow === 'email_code' ? user.email : user.mobile
  const code = recipient ? await lastCodeTo(recipient).catch(() => '0000') : '0000'
  return enter(browser, user.login, code, flow)
}

describe('the preview', () => {
  test('shows of an identifier what the sign-in page shows to anybody, whether or not it has an account', async () => {
    const role = await newRole()
    await create({ firstFactor: ['sms_code', 'credentials'], roles: [role.id] })
    const user = await createUser({ roles: [role.code] })
    for (const identifier of [user.login, user.email, user.mobile, 'nobody.at.all', 'nobody@polaris.example']) {
      const { first: steps, ...offer } = await caller.call(calls.previewAuthenticationSchema, { query: { identifier } })
      const kind = identifier.includes('@') ? 'email' : identifier.startsWith('+') ? 'mobile' : 'login'
      const { body } = await begin(new Browser(), identifier, kind)
      expect(steps).toEqual((body.flows as string[]).map((id) => ({ id, usable: null })))
      expect(offer).toMatchObject({ by: 'identifier', role: null, second: [], stuck: null })
    }
  })

  test('names who can’t receive anything, and what is left to somebody without a mobile', async () => {
    const role = await newRole()
    await create({ firstFactor: ['credentials'], secondFactor: ['email_code', 'sms_code'], roles: [role.id] })
    const whole = await createUser({ roles: [role.code], mobile: null })
    const stuck = await createUser({ roles: [role.code], mobile: null, email: null })
    const preview = (userId: string) => caller.call(calls.previewAuthenticationSchema, { query: { userId } })
    expect(await preview(whole.id)).toMatchObject({
      by: 'role',
      second: [{ after: 'credentials', flows: ['email_code'] }],
      stuck: false,
    })
    expect(await preview(stuck.id)).toMatchObject({
      first: [{ id: 'credentials', usable: false }],
      second: [],
      stuck: true,
    })
  })
})
