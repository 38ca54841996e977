import { count, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { authenticationSchemas, messages, sessions } from '@/db/schema'
import { isDeadEnd } from '@/lib/access/authentication-schemas/factors'
import type { CodeFlow } from '@/lib/access/authentication-schemas/flow-ids'
import { authCode, authConfig, authLogin, type FlowId } from '@/lib/sign-in/attempts/contract'
import { changeSchema } from '../../factories/acr'
import { Browser } from '../../factories/browser'
import { lastCodeTo, runJobs } from '../../factories/messages'
import { handlerOf } from '../../factories/routes'
import { begin, prove, signInByPassword } from '../../factories/sign-in'
import { createRole, createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const code = handlerOf(authCode)

useTestDatabase()

const ask = (browser: Browser, login: string, flow: CodeFlow) =>
  browser.send(code, 'POST', { params: { idAttribute: 'login' }, body: { flow, login } })
const sessionsOf = async (userId: string) =>
  (await db().select({ rows: count() }).from(sessions).where(eq(sessions.userId, userId)))[0]?.rows

/** Returns what a person who knows no secret is answered, call by call, without times and ids. */
async function flowsShown(login: string) {
  const browser = new Browser()
  const start = performance.now()
  const passed = () => (performance.now() - start) / 1000
  const calls = [
    () => begin(browser, login),
    () => ask(browser, login, 'email_code'),
    () => ask(browser, login, 'email_code'),
    () => prove(browser, login, { flow: 'email_code', code: 'x000' }),
    () => ask(browser, login, 'sms_code'),
    () => prove(browser, login, { flow: 'sms_code', code: 'x000' }),
    () => begin(browser, login),
    () => prove(browser, login, { password: 'wrong' }),
    () => prove(browser, login, { flow: 'sms_code', code: 'x000' }),
    () => prove(browser, login, { flow: 'email_code', code: '' }),
  ]
  const answers = []
  for (const call of calls) {
    const { status, body } = await call()
    const { requestId: _, endTime, resendIn, ...said } = body
    const times = {
      ...(endTime === undefined ? {} : { endTime: endTime === null ? null : 'a time' }),
      // the whole wait, about: what is left of it depends on how fast the calls follow one another
      ...(resendIn === undefined ? {} : { wait: resendIn && Math.round((Number(resendIn) + passed()) / 20) * 20 }),
    }
    answers.push({ status, said, ...times })
  }
  return answers
}

describe('the first factor', () => {
  test('reveals nothing about an account: what it can receive, whether it exists, whether it is blocked', async () => {
    const role = await createRole({ firstFactor: ['email_code', 'sms_code', 'credentials'] })
    const roles = [role]
    const accounts = {
      full: await createUser({ roles }),
      withoutMail: await createUser({ roles, email: null }),
      withoutMobile: await createUser({ roles, mobile: null }),
      withNothing: await createUser({ roles, email: null, mobile: null, passwordHash: null }),
    }
    const expected = await flowsShown(accounts.full.login)
    expect(expected.map(({ status }) => status)).toEqual([200, 200, 200, 400, 200, 400, 200, 400, 400, 400])
    expect(expected[0]).toEqual({
      status: 200,
      wait: 0,
      said: { flows: ['email_code', 'sms_code', 'credentials'] },
    })
    expect(expected.map(({ wait }) => wait).filter((wait) => wait !== undefined)).toContain(60)
    for (const [name, { login }] of Object.entries(accounts).slice(1))
      expect(await flowsShown(login), name).toEqual(expected)
    // unknown and blocked people are shown a schema that some people have; this one is among them
    const flowsOf = async (login: string) => (await begin(new Browser(), login)).body.flows as FlowId[]
    for (const [name, make] of Object.entries({
      nobody: async (login: string) => login,
      blocked: async (login: string) => (await createUser({ login, enabled: false })).login,
    })) {
      let login = ''
      for (let n = 0; n < 300 && !login; n++)
        if ((await flowsOf(`${name}.${n}`))[0] === 'email_code') login = await make(`${name}.${n}`)
      expect(await flowsShown(login), name).toEqual(expected)
    }
    await runJobs()
    const receivers = new Set((await db().select().from(messages)).map(({ recipient }) => recipient))
    const { full, withoutMail, withoutMobile } = accounts
    expect(receivers).toEqual(new Set([full.email, full.mobile, withoutMail.mobile, withoutMobile.email]))
  })

  test('doesn’t include a flow that would leave no second one, even on request', async () => {
    const role = await createRole({ firstFactor: ['email_code', 'credentials'], secondFactor: ['email_code'] })
    const user = await createUser({ roles: [role] })
    const browser = new Browser()
    expect((await begin(browser, user.login)).body.flows).toEqual(['credentials'])
    expect((await ask(browser, user.login, 'email_code')).body).toMatchObject({
      data: { errorList: [{ field: 'flow', code: 'errorFlow' }] },
    })
  })

  test('with a right code that leads nowhere leaves the other flows open, and no session', async () => {
    const role = await createRole({
      firstFactor: ['email_code', 'credentials'],
      secondFactor: ['sms_code', 'email_code'],
    })
    const user = await createUser({ roles: [role], mobile: null })
    const browser = new Browser()
    expect((await begin(browser, user.login)).body.flows).toEqual(['email_code', 'credentials'])
    await ask(browser, user.login, 'email_code')
    const digits = await lastCodeTo(user.email)
    const stuck = await prove(browser, user.login, { flow: 'email_code', code: digits })
    expect(stuck).toMatchObject({ status: 400, body: { code: 'noFlows' } })
    expect(await sessionsOf(user.id)).toBe(0)
    expect((await prove(browser, user.login, { password })).body).toEqual({
      next: 'second_factor',
      flows: ['email_code'],
    })
  })
})

describe('the second factor', () => {
  test('skips a password that the account doesn’t have', async () => {
    const role = await createRole({ firstFactor: ['email_code'], secondFactor: ['credentials', 'sms_code'] })
    const user = await createUser({ roles: [role], passwordHash: null })
    const browser = new Browser()
    await begin(browser, user.login)
    await ask(browser, user.login, 'email_code')
    const answer = await prove(browser, user.login, { flow: 'email_code', code: await lastCodeTo(user.email) })
    expect(answer.body).toEqual({ next: 'second_factor', flows: ['sms_code'] })
  })
})

describe('a schema by which nobody can sign in', () => {
  let dead: string
  beforeAll(async () => {
    dead = await createRole({ firstFactor: ['credentials'] })
    await changeSchema(dead, { firstFactor: ['email_code'], secondFactor: ['email_code'] })
  })

  test('keeps its people out and doesn’t use another schema', async () => {
    const user = await createUser({ roles: [dead] })
    expect(await begin(new Browser(), user.login)).toMatchObject({ status: 400, body: { code: 'noFlows' } })
    expect((await signInByPassword(new Browser(), user.login, password)).status).toBe(400)
    expect(await sessionsOf(user.id)).toBe(0)
  })

  test('isn’t shipped', async () => {
    const shipped = await db().select().from(authenticationSchemas).where(eq(authenticationSchemas.base, true))
    expect(shipped).toHaveLength(1)
    expect(shipped.filter(isDeadEnd)).toEqual([])
  })
})

describe('403', () => {
  test('is only for terms: a blocked account, a device limit and no flows are 400 with their code', async () => {
    const contracts: { errors?: Record<string, number> | undefined }[] = [authConfig, authCode, authLogin]
    const forbidden = contracts
      .flatMap(({ errors = {} }) => Object.entries(errors))
      .filter(([name, status]) => status === 403 && name !== 'addressDenied')
    expect(forbidden).toEqual([['termsRequired', 403]])
  })
})
