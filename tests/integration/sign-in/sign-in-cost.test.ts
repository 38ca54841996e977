import pg from 'pg'
import { expect, test } from 'vitest'
import { databasePool, db } from '@/db/client'
import { invalidate, onInvalidated } from '@/lib/base/cache/cache'
import { ensureListening } from '@/lib/base/cache/notifications'
import { redis } from '@/lib/base/redis/redis'
import { Browser } from '../../factories/browser'
import { ask, codeUser, enter, passResend } from '../../factories/codes'
import { lastCodeTo } from '../../factories/messages'
import { begin, prove, signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

/** Waits until this process sends nothing more to PostgreSQL. */
async function settled() {
  const pool = databasePool()
  do await new Promise(setImmediate)
  while (pool.idleCount < pool.totalCount || pool.waitingCount > 0)
}

/** Returns the commands that both stores get while `work` runs. */
async function asked(work: () => Promise<unknown>) {
  const [statements, commands]: [string[], string[]] = [[], []]
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const client = redis() as unknown as { sendCommand: (command: { name: string }, ...rest: unknown[]) => unknown }
  const { query } = prototype
  const send = client.sendCommand
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const [config] = args as [string | { text: string }]
    statements.push(typeof config === 'string' ? config : config.text)
    return query.apply(this, args)
  }
  client.sendCommand = function (this: unknown, command, ...rest) {
    commands.push(command.name)
    return send.call(this, command, ...rest)
  }
  try {
    await work()
    await settled()
  } finally {
    prototype.query = query
    client.sendCommand = send
  }
  return { statements, commands }
}

test('a password sign-in needs five statements and three commands; a wrong password costs the same for an unknown login', async () => {
  // the caches of the process are filled
  for (const one of [password, 'wrong']) await signInByPassword(new Browser(), (await createUser()).login, one)
  await signInByPassword(new Browser(), (await createUser()).email, password, 'email')
  const user = await createUser()
  const right = await asked(() => signInByPassword(new Browser(), user.login, password))
  expect([right.statements.length, right.commands], right.statements.join('\n')).toEqual([5, ['eval', 'eval', 'eval']])
  const existing = await asked(() => signInByPassword(new Browser(), user.login, 'wrong'))
  const nobody = await asked(() => signInByPassword(new Browser(), 'nobody.at.all', 'wrong'))
  expect([existing.statements.length, existing.commands]).toEqual([5, ['eval', 'eval']])
  expect(nobody).toEqual(existing)
  // slowed down, the numbers are the same
  for (let n = 0; n < 3; n++) await signInByPassword(new Browser(), user.login, 'wrong')
  const slowed = await asked(() => signInByPassword(new Browser(), user.email, password, 'email'))
  expect(slowed).toEqual(existing)
})

/** Waits until this process has heard of all changes that were made: notifications come in their order. */
async function heard() {
  await ensureListening()
  const arrived = new Promise<void>((resolve) => void onInvalidated('heard', resolve))
  await invalidate(db(), 'heard')
  await arrived
}

/** How many statements and which commands each step of a sign-in by code needs. */
const codeSteps = {
  begin: [2, ['eval']],
  ask: [2, ['eval']],
  'ask too early': [1, ['eval', 'eval', 'hmget']],
  'enter a wrong code': [3, ['eval', 'eval']],
}

test('each step of a sign-in by code has its number of statements and commands, the same for an unknown login', async () => {
  const person = await codeUser(['credentials', 'email_code'])
  await heard()
  const steps = async (identifier: string) => {
    await passResend()
    const browser = new Browser()
    const work = {
      begin: () => begin(browser, identifier),
      ask: () => ask(browser, identifier),
      'ask too early': () => ask(browser, identifier),
      'enter a wrong code': () => enter(browser, identifier, '00000'),
    }
    const needed: Record<string, Awaited<ReturnType<typeof asked>>> = {}
    for (const [step, run] of Object.entries(work)) needed[step] = await asked(run)
    return { browser, needed }
  }
  // the caches of the process are filled, and the person's browser is known
  const first = await steps(person.login)
  await enter(first.browser, person.login, await lastCodeTo(person.email))
  const existing = await steps(person.login)
  const numbers = Object.entries(existing.needed).map(([step, { statements, commands }]) => [
    step,
    [statements.length, commands],
  ])
  expect(Object.fromEntries(numbers)).toEqual(codeSteps)
  expect((await steps('nobody.by.code')).needed).toEqual(existing.needed)
  // the first sign-in of an account: there is no other browser about which a mail would be sent
  const newcomer = await codeUser(['email_code'])
  await heard()
  const { browser } = await steps(newcomer.login)
  const digits = await lastCodeTo(newcomer.email)
  const right = await asked(() => enter(browser, newcomer.login, digits))
  expect([right.statements.length, right.commands], right.statements.join('\n')).toEqual([5, ['eval', 'eval']])
})

test('who returns to a page of the platform needs four statements', async () => {
  const signIn = async ({ login }: { login: string }) => {
    const browser = new Browser()
    await begin(browser, login, 'login', { path: '/platform/profile/sessions' })
    return prove(browser, login, { password })
  }
  // the caches of the process are filled
  await signIn(await createUser())
  const user = await createUser()
  const { statements } = await asked(() => signIn(user))
  expect(statements.length, statements.join('\n')).toBe(4)
})
