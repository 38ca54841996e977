import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databasePool, db } from '@/db/client'
import { contract } from '@/lib/base/contracts/contract'
import { createRoute } from '@/lib/base/http/route'
import { askDatabase } from '@/lib/base/postgres/probe'
import { redis, redisHealthy } from '@/lib/base/redis/redis'
import { env } from '@/lib/base/runtime/env'
import { buildContext } from '@/lib/request/build'
import { cookieJar } from '@/lib/request/cookies'
import { authCode } from '@/lib/sign-in/attempts/contract'
import { Browser } from '../../factories/browser'
import { useOwnServices } from '../../factories/own-services'
import { handlerOf } from '../../factories/routes'
import { begin, prove, signedInStatus, signInByPassword } from '../../factories/sign-in'
import { createRole, createUser, password } from '../../factories/users'

const code = handlerOf(authCode)

const services = useOwnServices()

const route = createRoute(async (request) => {
  const jar = cookieJar(request.headers.get('cookie'))
  const { ctx } = await buildContext(request.headers, jar.cookies)
  return { ctx, cookieHeaders: jar.headers }
})
const asking = contract({
  name: 'asking',
  method: 'GET',
  path: '/asking',
  summary: '',
  tag: 'test',
  access: 'public',
  response: z.strictObject({}),
})
/** A call that runs this and returns nothing. */
const calling = (work: () => Promise<unknown>) => {
  const handler = route(asking, async () => {
    await work()
    return {}
  })
  return async () => {
    const { status, headers } = await new Browser().send(handler, 'GET')
    if (status === 503) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    return status
  }
}
const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))

const reading = calling(() => db().execute(sql`select 1`))
const writing = calling(() => db().transaction((tx) => tx.execute(sql`select 1`)))
const width = () => env().DATABASE_POOL

/** Blocks this process meanwhile. */
function stayBusy(milliseconds: number) {
  const until = performance.now() + milliseconds
  while (performance.now() < until) Math.sqrt(until)
}

/** Runs as many transactions at once as there are connections: none was lost. */
async function expectWholePool() {
  let inside = 0
  let all: () => void
  const together = new Promise<void>((resolve) => {
    all = resolve
  })
  await times(width(), () =>
    db().transaction(async (tx) => {
      await tx.execute(sql`select 1`)
      if (++inside === width()) all()
      await together
    }),
  )
}

/** Ends every connection and waits until the pool has noticed: all connections that it gives afterwards work. */
async function expectNoneLeft() {
  await services
    .owner()
    .query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'platform'`)
  await expect.poll(() => databasePool().totalCount).toBe(0)
}

/** Expects that every connection is closed. */
async function expectEmptyPool() {
  const { options } = databasePool()
  options.idleTimeoutMillis = 1
  await expectWholePool()
  await expect.poll(() => databasePool().totalCount).toBe(0)
  options.idleTimeoutMillis = 30_000
}

let user: Awaited<ReturnType<typeof createUser>>
const signedIn = new Browser()
beforeAll(async () => {
  await services.owner().query('create table outage_rows (id int)')
  await services.owner().query('grant all on outage_rows to platform_app')
  user = await createUser()
  expect((await signInByPassword(signedIn, user.login, password)).status).toBe(200)
})

describe('a PostgreSQL that hangs', () => {
  test('is answered with 503 while it hangs, for any number and kind of requests, and works again afterwards', async () => {
    const before = await times(2 * width(), reading)
    expect(new Set(before)).toEqual(new Set([200]))
    const begun = [new Browser(), new Browser(), new Browser()]
    for (const browser of begun) expect((await begin(browser, user.login)).status).toBe(200)
    const during = await services.hanging('postgres', async () => {
      const first = await Promise.all([
        times(2 * width(), reading),
        times(width(), writing),
        times(3, async () => (await begin(new Browser(), user.login)).status),
        Promise.all(begun.map(async (browser) => (await prove(browser, user.login, { password })).status)),
      ])
      // and later ones too, one after another
      const later: number[] = []
      for (let at = 0; at < 30; at++) later.push(await (at % 2 ? reading() : writing()))
      return [...first.flat(), ...later]
    })
    expect(new Set(during)).toEqual(new Set([503]))
    await expect.poll(reading).toBe(200)
    await expectWholePool()
    expect(await signedInStatus(signedIn)).toBe(200)
  })

  test('is left alone during a transaction, whose changes are not made', async () => {
    await services.owner().query('truncate outage_rows')
    const halfway = calling(() =>
      db().transaction(async (tx) => {
        await tx.execute(sql`insert into outage_rows values (1)`)
        await services.hanging('postgres', () => tx.execute(sql`select 1`))
      }),
    )
    expect(await halfway()).toBe(503)
    await expect.poll(reading).toBe(200)
    await expect
      .poll(async () => (await db().execute(sql`select count(*)::int as count from outage_rows`)).rows)
      .toEqual([{ count: 0 }])
    await expectWholePool()
  })
})

describe('a PostgreSQL that works is never reported as unavailable', () => {
  test('when the process was blocked longer than its timeouts: queries, connections and waiting requests succeed', {
    tags: ['full'],
    timeout: 60_000,
  }, async () => {
    // each time blocked is longer than the timeouts of a silent or a new connection; the first three together are
    // longer than the five seconds in which a connection must become free
    for (const stretches of [3, 1, 1]) {
      // at first there is no connection, and more requests than connections will come
      await expectEmptyPool()
      const asked = [times(3 * width(), reading), times(width(), writing)]
      const health = askDatabase(env().DATABASE_URL, 1_000)
      for (let stretch = 0; stretch < stretches; stretch++) {
        stayBusy(2_200)
        await new Promise((resolve) => setImmediate(resolve))
      }
      expect(new Set((await Promise.all(asked)).flat())).toEqual(new Set([200]))
      expect(await health).toBeUndefined()
    }
  })

  test('when one statement takes long: it may take its time, alone and beside others', { tags: ['full'] }, async () => {
    const slow = calling(() => db().execute(sql`select pg_sleep(3.5)`))
    expect(await slow()).toBe(200)
    const beside = slow()
    expect(await reading()).toBe(200)
    expect(await beside).toBe(200)
  })

  test('when every connection is busy for longer than the silence timeout: waiting requests get one', {
    tags: ['full'],
  }, async () => {
    const busy = times(
      width(),
      calling(() => db().execute(sql`select pg_sleep(2.5)`)),
    )
    await expect.poll(() => databasePool().totalCount - databasePool().idleCount).toBe(width())
    expect(new Set(await times(5, reading))).toEqual(new Set([200]))
    expect(new Set(await busy)).toEqual(new Set([200]))
  })

  test('when no connection is free: requests that wait too long are refused, the health check answers, then everything works again', async () => {
    let release = () => {}
    const freed = new Promise<void>((resolve) => {
      release = resolve
    })
    let takenCount = 0
    const holding = times(width(), () =>
      db().transaction(async () => {
        takenCount++
        await freed
      }),
    )
    await expect.poll(() => takenCount).toBe(width())
    expect(new Set(await times(5, reading))).toEqual(new Set([503]))
    expect(await askDatabase(env().DATABASE_URL, 1_000)).toBeUndefined()
    release()
    await holding
    expect(await reading()).toBe(200)
    await expectWholePool()
  })
})

describe('temporary errors of PostgreSQL answer 503, never 500', () => {
  test('a statement that took too long', async () => {
    const timedOut = calling(() =>
      db().transaction(async (tx) => {
        await tx.execute(sql`set local statement_timeout = 20`)
        await tx.execute(sql`select pg_sleep(5)`)
      }),
    )
    expect(await timedOut()).toBe(503)
  })

  test('a transaction that was idle for too long', async () => {
    const idle = calling(() =>
      db().transaction(async (tx) => {
        await tx.execute(sql`set local idle_in_transaction_session_timeout = 20`)
        const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
        const alive = () => services.owner().query('select from pg_stat_activity where pid = $1', [rows[0]?.pid])
        await expect.poll(async () => (await alive()).rowCount).toBe(0)
        await tx.execute(sql`select 1`)
      }),
    )
    expect(await idle()).toBe(503)
    await expectWholePool()
  })

  test('no connection left for the application', async () => {
    await expectEmptyPool()
    await services.owner().query('alter database platform connection limit 0')
    try {
      expect(new Set(await times(4, reading))).toEqual(new Set([503]))
    } finally {
      await services.owner().query('alter database platform connection limit -1')
    }
    await expect.poll(reading).toBe(200)
  })

  test('connections that end under thirty transactions: each answers 503 or is done, and every connection returns', async () => {
    await services.owner().query('truncate outage_rows')
    const working = calling(() =>
      db().transaction(async (tx) => {
        await tx.execute(sql`insert into outage_rows values (2)`)
        await tx.execute(sql`select pg_sleep(0.01)`)
        await tx.execute(sql`insert into outage_rows values (2)`)
      }),
    )
    const ending = (async () => {
      for (let at = 0; at < 20; at++) {
        await services
          .owner()
          .query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'platform'`)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    const statuses = (await Promise.all([times(30, working), times(30, reading), times(30, writing)])).flat()
    await ending
    for (const status of statuses) expect([200, 503]).toContain(status)
    await expectNoneLeft()
    await expectWholePool()
    // complete or absent
    const { rows } = await db().execute<{ count: number }>(sql`select count(*)::int as count from outage_rows`)
    expect((rows[0]?.count ?? 1) % 2).toBe(0)
  })
})

describe.skipIf(!services.hasRedis)('a Redis that hangs or is full', () => {
  test('hangs: people stay signed in, passwords work, codes answer 503, all while it hangs', async () => {
    const role = await createRole({ firstFactor: ['email_code', 'credentials'] })
    const coded = await createUser({ roles: [role] })
    await services.hanging('redis', async () => {
      expect(await signedInStatus(signedIn)).toBe(200)
      expect((await signInByPassword(new Browser(), user.login, password)).status).toBe(200)
      const browser = new Browser()
      await begin(browser, coded.login)
      const body = { flow: 'email_code', login: coded.login }
      expect((await browser.send(code, 'POST', { params: { idAttribute: 'login' }, body })).status).toBe(503)
    })
    await expect.poll(() => redisHealthy()).toBe(true)
  })

  test('is full: nothing answers 500, people stay signed in, passwords work, codes answer 503', async () => {
    const role = await createRole({ firstFactor: ['email_code', 'credentials'] })
    const coded = await createUser({ roles: [role] })
    await redis().config('SET', 'maxmemory-policy', 'noeviction')
    await redis().config('SET', 'maxmemory', '1')
    try {
      await expect(redis().set('more', 'x')).rejects.toThrow('OOM')
      expect(await calling(() => redis().set('more', 'x'))()).toBe(503)
      expect(await calling(() => redis().multi().set('more', 'x').exec())()).toBe(503)
      expect(await signedInStatus(signedIn)).toBe(200)
      expect((await signInByPassword(new Browser(), user.login, password)).status).toBe(200)
      const browser = new Browser()
      expect((await begin(browser, coded.login)).status).toBe(200)
      const body = { flow: 'email_code', login: coded.login }
      expect((await browser.send(code, 'POST', { params: { idAttribute: 'login' }, body })).status).toBe(503)
    } finally {
      await redis().config('SET', 'maxmemory', '0')
    }
  })

  test('works: a process that was blocked for longer than its timeouts gets every answer', {
    tags: ['full'],
  }, async () => {
    await expect.poll(() => redisHealthy()).toBe(true)
    const answers = times(50, () => redis().incr('busy'))
    const health = redisHealthy()
    for (let stretch = 0; stretch < 6; stretch++) {
      stayBusy(700)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await answers).at(-1)).toBe(50)
    expect(await health).toBe(true)
  })
})
