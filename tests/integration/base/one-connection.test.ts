import { eq, sql } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { databasePool, db, executePlanned, prepared } from '@/db/client'
import { sessions, settings, users } from '@/db/schema'
import { cached, dropCached } from '@/lib/base/cache/cache'
import { platformSettings } from '@/lib/site/settings/service'
import { Browser } from '../../factories/browser'
import { finish, startRegistration } from '../../factories/registration'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

// the smallest pool that a process may have: code that needed a second connection would block at once
vi.hoisted(() => {
  process.env.DATABASE_POOL = '2'
})
useTestDatabase()

const thirty = <T>(work: (n: number) => Promise<T>) => Promise.all(Array.from({ length: 30 }, (_, n) => work(n)))
const somebody = prepared('test_somebody', (database) => database.select({ id: users.id }).from(users).limit(1))
const refused = /a transaction asks for a second connection/

describe('a transaction that needs a second connection is refused', () => {
  const ways: [string, () => Promise<unknown>][] = [
    ['a query', async () => db().select().from(settings)],
    ['a statement', () => db().execute(sql`select 1`)],
    ['a prepared query', async () => somebody().execute()],
    ['a planned statement', () => executePlanned(db(), sql`select 1`)],
    ['a transaction of its own', () => db().transaction((tx) => tx.execute(sql`select 1`))],
    ['the pool', async () => databasePool().query('select 1')],
    [
      'a query a few calls away',
      async () => (await Promise.all([Promise.resolve().then(() => db().$count(users))]))[0],
    ],
  ]
  test.each(ways)('%s', async (_, ask) => {
    const inside = db().transaction(() => ask())
    await expect(
      inside.catch((error: Error) => {
        throw error.cause ?? error
      }),
    ).rejects.toThrow(refused)
    // and nothing of it is stored
    await ask()
  })

  test('but not code after its end, or its own savepoints', async () => {
    const later = await db().transaction(async (tx) => {
      await tx.transaction((inner) => inner.select().from(settings))
      return () => db().select({ id: settings.id }).from(settings)
    })
    expect(await later()).toEqual([])
  })

  test('also by code that it started and did not wait for, after its end', async () => {
    let go = () => {}
    const over = new Promise<void>((resolve) => {
      go = resolve
    })
    let begun: Promise<unknown> | undefined
    await db().transaction(async () => {
      begun = over.then(() => db().execute(sql`select 1`))
    })
    go()
    await begun
  })
})

describe('a cached value', () => {
  test('is read over the transaction’s own connection if it is missing', async () => {
    const answers = await thirty(() =>
      db().transaction(async (tx) => {
        await tx.execute(sql`select 1`)
        dropCached('settings')
        return (await platformSettings()).sessionAlive
      }),
    )
    expect(new Set(answers).size).toBe(1)
  })

  test('is read there one after another, and begins no transaction within it', async () => {
    const many = () =>
      Promise.all([
        db().$count(users),
        somebody().execute(),
        executePlanned(db(), sql`select 1 as one`),
        db()
          .execute(sql`select 2 as two`)
          .then(({ rows }) => rows),
      ])
    const warned = vi.spyOn(process, 'emitWarning')
    const read = async (work: () => Promise<unknown>) => {
      dropCached('test-many')
      return db().transaction(() => cached('test-many', work))
    }
    expect(await read(many)).toEqual(await many())
    expect(warned).not.toHaveBeenCalled()
    await expect(read(() => db().transaction(async () => 1))).rejects.toThrow(/begins none of its own/)
    // a failing query fails those batched with it, and no others
    await expect(read(() => Promise.all([db().execute(sql`select 1 / 0`), db().$count(users)]))).rejects.toThrow()
    expect(await read(many)).toEqual(await many())
    warned.mockRestore()
  })

  test('isn’t waited for if another request that may wait for the same connections reads it', async () => {
    dropCached('test-shared')
    const read = () => cached('test-shared', async () => db().$count(users))
    const released = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    let open = 0
    const inside = [1, 2].map(() =>
      db().transaction(async (tx) => {
        await tx.execute(sql`select 1`)
        if (++open === 2) begun.resolve()
        await released.promise
        return read()
      }),
    )
    await begun.promise
    // both connections are in use: this query waits for them, and they must not wait for it
    const outside = read()
    released.resolve()
    const answers = await Promise.all([...inside, outside])
    expect(new Set(answers).size).toBe(1)
  })

  test('doesn’t use that connection for the part of its load that runs after the transaction', async () => {
    const later = Promise.withResolvers<void>()
    const pid = async () => (await db().execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)).rows[0]?.pid
    let pending: Promise<unknown> | undefined
    const ended = db().transaction(async () => {
      pending = cached('test-left', async () => {
        const [run, ownPid] = [db(), await pid()]
        await later.promise
        const { rows } = await run.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
        return rows[0]?.pid === ownPid
      })
      throw new Error('something beside it failed')
    })
    await expect(ended).rejects.toThrow('something beside it failed')
    later.resolve()
    await expect(pending).rejects.toMatchObject({ cause: { message: expect.stringContaining('is over') } })
  })

  test('isn’t kept from a transaction that was rolled back', async () => {
    const read = () => cached('test-people', async () => db().$count(users))
    dropCached('test-people')
    const before = await db().$count(users)
    const undone = db().transaction(async (tx) => {
      await tx.insert(users).values({ login: 'nobody.in.the.end' })
      expect(await read()).toBe(before + 1)
      throw new Error('taken back')
    })
    await expect(undone).rejects.toThrow('taken back')
    expect(await read()).toBe(before)
  })
})

describe('with only two connections', () => {
  test('thirty people sign in at once', async () => {
    const people = await thirty(() => createUser())
    const answers = await thirty((n) => signInByPassword(new Browser(), people[n]?.login ?? '', password))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  })

  test('ten people register at once, and each gets a session', async () => {
    const begun = []
    for (let n = 0; n < 10; n++) begun.push(await startRegistration(new Browser()))
    const answers = await Promise.all(begun.map(({ secret }) => finish(new Browser(), secret)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    for (const { email } of begun) {
      const [made] = await db().select({ id: users.id }).from(users).where(eq(users.email, email))
      expect(await db().$count(sessions, eq(sessions.userId, made?.id ?? ''))).toBe(1)
    }
  })
})
