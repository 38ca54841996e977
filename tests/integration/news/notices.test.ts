import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { db } from '@/db/client'
import { notices, users } from '@/db/schema'
import { enableRole } from '@/lib/access/roles/contract'
import { addHolders, removeHolder } from '@/lib/accounts/role-holders/contract'
import { enableContractor, mergeContractors } from '@/lib/companies/contractors/contract'
import { enableOrganization } from '@/lib/companies/organizations/contract'
import { lastNotices, listNotices, readNotices } from '@/lib/news/notifications/contract'
import { noticeWriter, tidyNotices } from '@/lib/news/notifications/write'
import { endSessions } from '@/lib/sign-in/own-sessions/contract'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { createContractor, join } from '../../factories/companies'
import { runJobs } from '../../factories/messages'
import { recoveryLink, setByLink } from '../../factories/recovery'
import { newPassword } from '../../factories/registration'
import { plantRole, signedInAdministrator } from '../../factories/roles'
import { handlerOf } from '../../factories/routes'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const endAll = handlerOf(endSessions)

useTestDatabase()

async function signedIn() {
  const user = await createUser()
  const browser = new Browser()
  await signInByPassword(browser, user.login, password)
  return { user, browser, caller: new Caller(browser) }
}
const rowsOf = (userId: string) => db().select().from(notices).where(eq(notices.userId, userId))
const info = (id: number) => ({ id, attempt: 1, signal: new AbortController().signal })
const used = (userId: string, date = new Date()) => ({
  name: 'deviceUsed' as const,
  data: { userId, device: 'Firefox 140, Linux', ip: '203.0.113.7' },
  changerId: userId,
  requestId: 'test',
  date,
})

describe('an event writes a notice', () => {
  test('for a new device, for ended sessions and for a new password, not for what concerns no other device', async () => {
    const { user, browser, caller } = await signedIn()
    await runJobs()
    expect(await rowsOf(user.id)).toEqual([])
    const other = new Browser()
    await signInByPassword(other, user.login, password)
    await browser.send(endAll, 'DELETE', { query: { current: 'false' } })
    await runJobs()
    const { notices: listed, unread } = await caller.call(lastNotices)
    expect(listed).toMatchObject([
      { kind: 'sessionsEnded', values: { count: 1 } },
      { kind: 'newDevice', values: { ip: other.ip } },
    ])
    expect(unread).toBe(2)
    // this device's own session alone
    await browser.send(endAll, 'DELETE', { query: { current: 'true' } })
    await runJobs()
    expect(await rowsOf(user.id)).toHaveLength(2)
    const link = await recoveryLink(other, user)
    await setByLink(other, link, newPassword)
    await runJobs()
    expect((await rowsOf(user.id)).map(({ kind }) => kind).toSorted()).toEqual([
      'newDevice',
      'passwordChanged',
      'sessionsEnded',
    ])
  })

  test('once, however often and however many at once it is delivered', async () => {
    const user = await createUser()
    const write = noticeWriter('deviceUsed')
    const event = used(user.id)
    await Promise.all(Array.from({ length: 20 }, () => write(event, info(71))))
    await write(event, info(71))
    expect(await rowsOf(user.id)).toHaveLength(1)
    await write(event, info(72))
    expect(await rowsOf(user.id)).toHaveLength(2)
  })

  test('none for somebody who is gone, and the delivery doesn’t fail', async () => {
    const user = await createUser()
    await db().delete(users).where(eq(users.id, user.id))
    await expect(noticeWriter('deviceUsed')(used(user.id), info(73))).resolves.toBeUndefined()
  })
})

describe('reading', () => {
  test('marks one or all, only the own ones, and keeps the first time', async () => {
    const [mine, theirs] = [await signedIn(), await signedIn()]
    const write = noticeWriter('deviceUsed')
    for (const id of [81, 82, 83]) await write(used(mine.user.id), info(id))
    await write(used(theirs.user.id), info(84))
    const [foreign] = await rowsOf(theirs.user.id)
    for (const id of [foreign?.id ?? '', randomUUID()])
      expect((await mine.caller.send(readNotices, { body: { id } })).status).toBe(404)
    expect((await rowsOf(theirs.user.id))[0]?.readAt).toBeNull()

    const [first] = await rowsOf(mine.user.id)
    expect(await mine.caller.call(readNotices, { body: { id: first?.id } })).toEqual({ unread: 2 })
    const readAt = async () => (await rowsOf(mine.user.id)).find(({ id }) => id === first?.id)?.readAt
    const at = await readAt()
    expect(at).toBeInstanceOf(Date)
    expect(await mine.caller.call(readNotices, { body: { id: first?.id } })).toEqual({ unread: 2 })
    expect(await mine.caller.call(readNotices, { body: {} })).toEqual({ unread: 0 })
    expect(await readAt()).toEqual(at)
    expect((await rowsOf(theirs.user.id))[0]?.readAt).toBeNull()
  })

  test('pages by cursor, each notice once, while new ones come', async () => {
    const { user, caller } = await signedIn()
    const write = noticeWriter('deviceUsed')
    // several at the same moment
    for (let n = 0; n < 25; n++) await write(used(user.id, new Date(Math.floor(n / 4) * 1_000)), info(100 + n))
    const seen: string[] = []
    let after: string | null | undefined
    do {
      const page = await caller.call(listNotices, { query: { meta: { perPage: 10, ...(after ? { after } : {}) } } })
      seen.push(...page.notices.map(({ id }) => id))
      after = page.meta.after
      if (seen.length === 10) await write(used(user.id), info(99))
    } while (after)
    expect(seen).toHaveLength(25)
    expect(new Set(seen).size).toBe(25)
  })

  test('counts up to 99, and says when there are more', async () => {
    const { user, caller } = await signedIn()
    const values = { device: '', ip: '' }
    const row = (n: number) => ({ userId: user.id, kind: 'newDevice', values, cause: `many-${n}`, date: new Date() })
    await db()
      .insert(notices)
      .values(Array.from({ length: 150 }, (_, n) => row(n)))
    expect((await caller.call(lastNotices)).unread).toBe(100)
    expect((await caller.call(lastNotices)).notices).toHaveLength(5)
  })
})

test('housekeeping deletes what is older than half a year, in batches, and nothing younger', async () => {
  const user = await createUser()
  const now = new Date()
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000)
  const row = (n: number, days: number) => ({
    userId: user.id,
    kind: 'newDevice',
    values: { device: '', ip: '' },
    cause: `old-${n}`,
    date: ago(days),
  })
  await db()
    .insert(notices)
    .values(Array.from({ length: 2_100 }, (_, n) => row(n, 181)))
  await db()
    .insert(notices)
    .values([row(-1, 179), row(-2, 0)])
  const execute = vi.spyOn(db(), 'execute')
  await tidyNotices(now)
  expect(execute.mock.calls.length).toBe(2)
  execute.mockRestore()
  expect((await rowsOf(user.id)).map(({ cause }) => cause).toSorted()).toEqual(['old--1', 'old--2'])
})

test('who is given a role, or loses it, is told once; whoever does it to themselves is not', async () => {
  const { user: admin, caller: acting } = await signedInAdministrator()
  const [role, { user, caller }] = [await plantRole([]), await signedIn()]
  await acting.call(addHolders, { params: { id: role.id }, body: { users: [user.id, admin.id] } })
  await acting.call(removeHolder, { params: { id: role.id }, query: { userId: user.id } })
  await runJobs()
  const { notices: listed } = await caller.call(lastNotices)
  expect(listed.map(({ kind }) => kind)).toEqual(['roleTaken', 'roleGiven'])
  expect(listed[0]?.values).toEqual({ role: role.name, roleEn: role.name })
  expect(await rowsOf(admin.id)).toEqual([])
})

test('whoever a switched role, organization or contractor concerns, or a merge, is told once; not who did it', async () => {
  const { user: admin, caller: acting } = await signedInAdministrator()
  const { user, caller } = await signedIn()
  const [company, source] = [await createContractor(), await createContractor()]
  const role = await plantRole([], 'contractor')
  for (const id of [user.id, admin.id]) await join(company, id, [role.id])
  const places = { role: [enableRole, role], organization: [enableOrganization, company.organization] } as const
  for (const [contract, { id }] of [...Object.values(places), [enableContractor, company.contractor]] as const)
    for (const enabled of [false, false, true]) await acting.call(contract, { params: { id }, body: { enabled } })
  await join(source, user.id, [])
  await acting.call(mergeContractors, {
    body: { targetId: company.contractor.id, sourceIds: [source.contractor.id], take: {}, versions: {} },
  })
  await runJobs()
  const { notices: listed } = await caller.call(listNotices, { query: {} })
  const mainValues = ({ of, state, name, company: merged }: Record<string, unknown>) => [of, state, name, merged]
  const expected = [
    ['role', role.name],
    ['organization', company.organization.name],
    ['contractor', company.contractor.name],
  ].flatMap(([of, name]) => [
    [of, 'off', name, undefined],
    [of, 'on', name, undefined],
  ])
  const merged = [undefined, undefined, undefined, company.contractor.name]
  expect(listed.map(({ values }) => mainValues(values)).toSorted()).toEqual([...expected, merged].toSorted())
  expect(await rowsOf(admin.id)).toEqual([])
})

test('a change that concerns a thousand people writes each one notice in a few statements', async () => {
  const role = await plantRole([])
  const { rows } = await db().execute<{ id: string }>(
    sql`insert into users (login) select 'each.' || n from generate_series(1, 1000) n returning id`,
  )
  const data = { of: 'role', id: role.id, enabled: false, name: role.name, nameEn: null } as const
  // somebody is gone, and the delivery comes twice
  const userIds = [randomUUID(), ...rows.map(({ id }) => id)]
  const event = { name: 'accessSwitched', data: { ...data, userIds }, changerId: null, requestId: 'test' } as const
  const transaction = vi.spyOn(db(), 'transaction')
  for (const _ of [1, 2]) await noticeWriter('accessSwitched')({ ...event, date: new Date() }, info(74))
  expect(transaction.mock.calls.length).toBeLessThan(20)
  transaction.mockRestore()
  expect(await db().$count(notices, eq(notices.cause, 'event-74'))).toBe(1_000)
})

test('a switch that concerns more people than can be named writes no notices', async () => {
  const { caller: acting } = await signedInAdministrator()
  const { user } = await signedIn()
  const role = await plantRole([])
  await acting.call(addHolders, { params: { id: role.id }, body: { users: [user.id] } })
  await db().execute(sql`
    with people as (
      insert into users (login) select 'numerous.' || n from generate_series(1, 1000) n returning id
    ) insert into user_roles (user_id, role_id) select id, ${role.id}::uuid from people`)
  await acting.call(enableRole, { params: { id: role.id }, body: { enabled: false } })
  await runJobs()
  expect((await rowsOf(user.id)).map(({ kind }) => kind)).toEqual(['roleGiven'])
})
