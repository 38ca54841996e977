import { asc, desc, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { networkAliases, sessions } from '@/db/schema'
import type { CursorMeta } from '@/lib/base/lists/lists'
import { listNetworkAliases } from '@/lib/network/network-aliases/contract'
import { listSessions } from '@/lib/sign-in/own-sessions/contract'
import { createRoleWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { handlerOf } from '../../factories/routes'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const aliases = handlerOf(listNetworkAliases)
const ownSessions = handlerOf(listSessions)

useTestDatabase()

describe('calls that take cursors', () => {
  async function signedIn(times = 1) {
    const user = await createUser()
    const browsers = Array.from({ length: times }, () => new Browser())
    for (const browser of browsers) await signInByPassword(browser, user.login, password)
    return browsers as [Browser, ...Browser[]]
  }
  type Listed = {
    sessions: { id: string; current: boolean }[]
    networks: { id: string; name: string }[]
    meta: CursorMeta
  }
  const ask = async (handler: typeof ownSessions, browser: Browser, query: Record<string, string>) => {
    const { status, body } = await browser.send(handler, 'GET', { query })
    return { status, body: body as unknown as Listed & { data: unknown } }
  }

  test('sessions: this one first, then each other once; by page number the answer is as before', async () => {
    const [here] = await signedIn(1)
    const { userId } = (await db().select().from(sessions).orderBy(desc(sessions.createdAt)).limit(1))[0] ?? {
      userId: '',
    }
    await db()
      .insert(sessions)
      .values(
        Array.from({ length: 24 }, (_, n) => ({
          userId,
          ip: '',
          deviceType: 'desktop',
          expiresAt: new Date(Date.now() + 3_600_000),
          lastAccessAt: sql`now() - ${n % 3} * interval '1 microsecond'`,
        })),
      )
    const first = (await ask(ownSessions, here, { 'meta[perPage]': '10' })).body
    expect(first.meta).toEqual({
      page: 1,
      pages: 3,
      perPage: 10,
      total: 25,
      after: expect.any(String),
      before: null,
    })
    expect(first.sessions.map(({ current }) => current)).toEqual([true, ...Array(9).fill(false)])
    const seen = first.sessions.map(({ id }) => id)
    let after = first.meta.after
    while (after) {
      const { body } = await ask(ownSessions, here, { 'meta[perPage]': '10', 'meta[after]': after })
      expect(body.meta).toMatchObject({ perPage: 10, total: 25, before: expect.any(String) })
      expect(body.meta).not.toHaveProperty('page')
      seen.push(...body.sessions.map(({ id }) => id))
      after = body.meta.after
    }
    expect([seen.length, new Set(seen).size]).toEqual([25, 25])
  })

  test('a cursor of another person, session or sort, both directions at once, and a cursor with a page answer 400', async () => {
    const [here, there] = (await signedIn(2)) as [Browser, Browser]
    const [stranger] = await signedIn(1)
    const { userId } = (await db().select().from(sessions).orderBy(asc(sessions.createdAt)))
      .reverse()
      .find((each) => each.ip === here.ip) ?? { userId: '' }
    await db()
      .insert(sessions)
      .values(
        Array.from({ length: 20 }, () => ({
          userId,
          ip: '',
          deviceType: 'x',
          expiresAt: sql`now() + interval '1 hour'`,
        })),
      )
    const after = String((await ask(ownSessions, here, { 'meta[perPage]': '10' })).body.meta.after)
    const cursor = { 'meta[after]': after }
    expect((await ask(ownSessions, here, cursor)).status).toBe(200)
    const fault = (code: string) => ({ status: 400, body: { data: { errorList: [{ field: 'meta.after', code }] } } })
    for (const [browser, query] of [
      [stranger, cursor],
      [there, cursor],
      [here, { ...cursor, sortBy: 'start' }],
      [here, { ...cursor, sort: 'asc' }],
    ] as const)
      expect(await ask(ownSessions, browser, query)).toMatchObject(fault('errorCursor'))
    for (const beside of ['meta[before]', 'meta[page]'])
      expect(
        await ask(ownSessions, here, { ...cursor, [beside]: beside === 'meta[page]' ? '1' : after }),
      ).toMatchObject(fault('errorFormat'))
  })

  test('a cursor of another filter answers 400; the same filter in another spelling gets the next page', async () => {
    const user = await createUser({ roles: [await createRoleWith(['network-aliases.read'])] })
    const browser = new Browser()
    await signInByPassword(browser, user.login, password)
    await db()
      .insert(networkAliases)
      .values(Array.from({ length: 25 }, (_, n) => ({ name: `Walk ${n % 2 ? 'ä' : 'b'} ${n}` })))
    const filter = { 'filter[search]': 'walk', 'filter[used]': 'false' }
    const first = (await ask(aliases, browser, { ...filter, 'meta[perPage]': '10' })).body
    const cursor = { 'meta[after]': String(first.meta.after), 'meta[perPage]': '10' }
    const next = await ask(aliases, browser, { ...cursor, 'filter[used]': 'false', 'filter[search]': ' walk ' })
    expect([next.status, next.body.networks.length]).toEqual([200, 10])
    const others: Record<string, string>[] = [{}, { 'filter[search]': 'walk' }, { ...filter, 'filter[search]': 'wal' }]
    for (const other of others)
      expect(await ask(aliases, browser, { ...cursor, ...other })).toMatchObject({
        status: 400,
        body: { data: { errorList: [{ field: 'meta.after', code: 'errorCursor' }] } },
      })
  })
})
