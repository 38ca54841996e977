import pg from 'pg'
import { expect, test } from 'vitest'
import { databasePool } from '@/db/client'
import { redis } from '@/lib/base/redis/redis'
import { Browser } from '../../factories/browser'
import { signInByPassword } from '../../factories/sign-in'
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

test('a password sign-in needs six statements and three commands; a wrong password costs the same for an unknown login', async () => {
  // the caches of the process are filled
  for (const one of [password, 'wrong']) await signInByPassword(new Browser(), (await createUser()).login, one)
  await signInByPassword(new Browser(), (await createUser()).email, password, 'email')
  const user = await createUser()
  const right = await asked(() => signInByPassword(new Browser(), user.login, password))
  expect([right.statements.length, right.commands], right.statements.join('\n')).toEqual([6, ['eval', 'eval', 'eval']])
  const existing = await asked(() => signInByPassword(new Browser(), user.login, 'wrong'))
  const nobody = await asked(() => signInByPassword(new Browser(), 'nobody.at.all', 'wrong'))
  expect([existing.statements.length, existing.commands]).toEqual([5, ['eval', 'eval']])
  expect(nobody).toEqual(existing)
  // slowed down, the numbers are the same
  for (let n = 0; n < 3; n++) await signInByPassword(new Browser(), user.login, 'wrong')
  const slowed = await asked(() => signInByPassword(new Browser(), user.email, password, 'email'))
  expect(slowed).toEqual(existing)
})
