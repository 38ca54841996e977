import { and, asc, eq } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { db, type Transaction } from '@/db/client'
import { accessListEntries, addressRefusals, history, networkAliases, networkAliasIps, settings } from '@/db/schema'
import { changing } from '@/lib/base/audit/change'
import { dropCached } from '@/lib/base/cache/cache'
import type { Ctx } from '@/lib/base/context/ctx'
import { readWhitelistEnd } from '@/lib/network/access-lists/check-address'
import {
  listBlacklist,
  listWhitelist,
  readWhitelistEnd as readWhitelistEndCall,
} from '@/lib/network/access-lists/contract'
import { openAccess } from '@/lib/network/access-lists/open-access'
import { keepingOwnAddress, rulesIn } from '@/lib/network/access-lists/own-address'
import { createRefusalCounts } from '@/lib/network/access-lists/refusal-counts'
import { maxRowsPerHour, recordRefusals, storeRefusals } from '@/lib/network/access-lists/refusals'
import { accessRules } from '@/lib/network/access-lists/service'
import { verdictOf } from '@/lib/network/access-lists/verdict'
import { updateNetworkAlias } from '@/lib/network/network-aliases/contract'
import { signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { callerFor } from '../../factories/caller'
import { createContext } from '../../factories/context'
import { first, store } from '../../factories/platform'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { handlerOf } from '../../factories/routes'
import { useTestDatabase } from '../../setup/database'

const GET = handlerOf(readWhitelistEndCall)
const PUT = handlerOf(updateNetworkAlias)

useTestDatabase()

const names = ['settings', 'network-aliases']
const hour = 3_600_000
const day = 24 * hour
const mine = '203.0.113.7'

afterEach(async () => {
  await db().delete(settings)
  await db().delete(accessListEntries)
  await db().delete(networkAliases)
  for (const name of names) dropCached(name)
})

type Entry = Partial<typeof accessListEntries.$inferInsert> & Pick<typeof accessListEntries.$inferInsert, 'list'>
const list = async (...entries: Entry[]) => {
  const rows = await db().insert(accessListEntries).values(entries).returning()
  dropCached('network-aliases')
  return rows.map(({ id }) => id)
}
const alias = async (name: string, ...ips: string[]) => {
  const { id } = first(await db().insert(networkAliases).values({ name }).returning())
  await db()
    .insert(networkAliasIps)
    .values(ips.map((ip) => ({ aliasId: id, ip })))
  dropCached('network-aliases')
  return id
}
const set = (tx: Transaction, id: string, value: unknown) =>
  tx.insert(settings).values({ id, value }).onConflictDoUpdate({ target: settings.id, set: { value } })

/** Makes a change as a person with this address, as the calls do. Returns the code of its refusal. */
const change = (ctx: Ctx, work: (tx: Transaction) => Promise<unknown>): Promise<string | null> =>
  changing(names, (tx) => keepingOwnAddress(tx, ctx, 'field', () => work(tx))).then(
    () => null,
    ({ status, code, data }) => {
      expect([status, data.errorList[0]]).toMatchObject([400, { field: 'field', code }])
      return code
    },
  )
const verdict = async (ip: string, at = new Date()) => {
  const rules = await accessRules()
  return rules && verdictOf(rules.lists, rules.whitelistMode, ip, at)
}

describe('people who change the address lists', () => {
  let ctx: Ctx
  beforeAll(async () => {
    ctx = await createContext({ methods: [] })
  })

  test('can switch whitelistMode on only while a permanent enabled entry covers them', async () => {
    const on = (tx: Transaction) => set(tx, 'whitelistMode', true)
    expect(await change(ctx, on)).toBe('ownAddressDenied')
    await list(
      { list: 'whitelist', ip: '203.0.113.0/24', enabled: false },
      { list: 'whitelist', ip: '198.51.100.0/24' },
    )
    expect(await change(ctx, on)).toBe('ownAddressDenied')
    const [ending = ''] = await list({ list: 'whitelist', ip: '203.0.113.0/24', dateTo: new Date(Date.now() + day) })
    expect(await change(ctx, on)).toBe('ownAddressDeniedLater')
    expect(await verdict('192.0.2.1')).toBe('allowed')
    await list({ list: 'whitelist', ip: '203.0.113.7/32', dateFrom: new Date(Date.now() + hour) })
    expect(await change(ctx, on)).toBeNull()
    expect([await verdict('192.0.2.1'), await verdict(mine)]).toEqual(['denied', 'allowed'])
    // the entry that covers them now can't be removed before the next one begins
    const end = (tx: Transaction) => tx.delete(accessListEntries).where(eq(accessListEntries.id, ending))
    expect(await change(ctx, end)).toBe('ownAddressDenied')
    expect(await verdict(mine)).toBe('allowed')
  })

  test('are told from when they would be denied', async () => {
    const dateFrom = new Date(Date.now() + day)
    const refusal = changing(names, (tx) =>
      keepingOwnAddress(tx, ctx, 'dateFrom', () =>
        tx.insert(accessListEntries).values({ list: 'blacklist', ip: '203.0.113.0/24', dateFrom }),
      ),
    )
    const params = { list: 'blacklist', date: dateFrom.getTime() }
    await expect(refusal).rejects.toMatchObject({
      status: 400,
      code: 'ownAddressDeniedLater',
      data: { errorList: [{ field: 'dateFrom', code: 'ownAddressDeniedLater', params }] },
    })
    expect(await db().$count(accessListEntries)).toBe(0)
  })

  test('are warned before they save, from when the dates of the whitelist would leave nobody in', async () => {
    const reader = await createContext({ methods: ['access-lists.read'] })
    const ends = async (query: Parameters<typeof readWhitelistEnd>[1]['query']) =>
      (await readWhitelistEnd(reader, { query })).ends
    const [soon, later] = [hour, day].map((ms) => new Date(Date.now() + ms)) as [Date, Date]
    const [id = ''] = await list({ list: 'whitelist', ip: '203.0.113.0/24', dateTo: soon })
    const [off = ''] = await list({ list: 'whitelist', ip: '203.0.113.0/24', enabled: false })
    expect(await ends({ dateTo: later.toISOString() })).toBeNull()
    await store('whitelistMode', true)
    const just = (date: Date) => new Date(date.getTime() + 1).toISOString()
    expect(await ends({ dateTo: later.toISOString() })).toBe(just(later))
    expect(await ends({})).toBeNull()
    expect(await ends({ id, dateTo: later.toISOString() })).toBe(just(later))
    // one that begins after the gap doesn't fill it, and one that is off counts as little afterwards
    expect(await ends({ dateFrom: later.toISOString() })).toBe(just(soon))
    expect(await ends({ id: off })).toBe(just(soon))
    const { browser } = await signedInWith(['access-lists.read'])
    const unknown = { query: { id: '00000000-0000-4000-8000-000000000000' } }
    expect((await browser.send(GET, 'GET', unknown)).status).toBe(404)
  })

  test('can’t deny themselves by the trusted proxies either', async () => {
    const proxy = await alias('Балансировщик', '10.0.0.0/24')
    await list({ list: 'whitelist', ip: '203.0.113.0/24' })
    const behind = { ...ctx, connection: { socket: '10.0.0.1', forwardedFor: `198.51.100.1, ${mine}` } }
    const both = async (tx: Transaction) => {
      await set(tx, 'reverseProxy', [proxy])
      await set(tx, 'whitelistMode', true)
    }
    expect(await change(behind, (tx) => set(tx, 'whitelistMode', true))).toBe('ownAddressDenied')
    expect(await change({ ...behind, connection: { socket: '10.0.0.1' } }, both)).toBe('ownAddressDenied')
    // before, the request came from the proxy's address, which was allowed; now it comes from the forwarded one
    expect(await change(behind, both)).toBeNull()
    expect(await change(behind, (tx) => set(tx, 'reverseProxy', []))).toBe('ownAddressDenied')
  })

  test('aren’t checked if the caller has no address, as at the shell', async () => {
    expect(await change({ ...ctx, ip: '' }, (tx) => set(tx, 'whitelistMode', true))).toBeNull()
  })

  test('can’t be denied by thirty changes at once, each of which alone would leave them an entry', async () => {
    const entries: Entry[] = Array.from({ length: 30 }, () => ({ list: 'whitelist', ip: '203.0.113.0/24' }))
    const ids = await list(...entries)
    expect(await change(ctx, (tx) => set(tx, 'whitelistMode', true))).toBeNull()
    const codes = await Promise.all(
      ids.map((id) => change(ctx, (tx) => tx.delete(accessListEntries).where(eq(accessListEntries.id, id)))),
    )
    expect(codes.filter((code) => code === null)).toHaveLength(29)
    expect(await verdict(mine)).toBe('allowed')
  })

  test('are never denied by any sequence of accepted changes', async () => {
    const random = caseNumbers(60)
    const pick = <T>(some: readonly T[]): T => some[random(some.length)] as T
    const office = await alias('Офис', '203.0.113.0/24')
    const dates = () => pick([null, new Date(Date.now() + pick([-day, hour, day]))])
    const subnet = () => pick(['203.0.113.7/32', '203.0.113.0/24', '198.51.100.0/24', '0.0.0.0/0'])
    let refused = 0
    for (const _ of eachRound(60, () => refused > 0)) {
      const rows = await db().select().from(accessListEntries)
      const one = eq(accessListEntries.id, (rows.length > 0 ? pick(rows) : { id: office }).id)
      const code = await change(ctx, (tx) =>
        pick<() => Promise<unknown>>([
          () => {
            const named = pick([{ ip: subnet() }, { aliasId: office }])
            const entry = {
              list: pick(['whitelist', 'blacklist'] as const),
              ...named,
              dateFrom: dates(),
              dateTo: dates(),
            }
            return tx.insert(accessListEntries).values(entry)
          },
          () =>
            tx
              .update(accessListEntries)
              .set({ enabled: random(2) === 1 })
              .where(one),
          () => tx.update(accessListEntries).set({ dateFrom: dates(), dateTo: dates() }).where(one),
          () => tx.delete(accessListEntries).where(one),
          () => set(tx, 'whitelistMode', random(2) === 1),
          () => tx.update(networkAliasIps).set({ ip: subnet() }).where(eq(networkAliasIps.aliasId, office)),
        ])(),
      )
      if (code) refused++
      const { lists, whitelistMode } = await db().transaction(rulesIn)
      for (const after of [0, hour / 2, hour + 1, 2 * hour, day + 1, 2 * day])
        expect(verdictOf(lists, whitelistMode, mine, new Date(Date.now() + after))).toBe('allowed')
    }
    expect(refused).toBeGreaterThan(0)
  })
})

test('can’t change an alias of a list so that it denies them', async () => {
  const { browser } = await signedInWith(
    ['network-aliases.read', 'network-aliases.write'],
    new Browser(undefined, mine),
  )
  const id = await alias('Чужие', '198.51.100.0/24')
  await list({ list: 'blacklist', aliasId: id, dateFrom: new Date(Date.now() + day) })
  const save = (ip: string) =>
    browser.send(PUT, 'PUT', { params: { id }, body: { name: 'Чужие', ips: [{ ip, comment: '' }], comment: '' } })
  const { status, body } = await save('203.0.112.0/23')
  expect([status, body]).toMatchObject([
    400,
    { code: 'ownAddressDeniedLater', data: { errorList: [{ field: 'ips', code: 'ownAddressDeniedLater' }] } },
  ])
  expect(await db().select({ ip: networkAliasIps.ip }).from(networkAliasIps)).toEqual([{ ip: '198.51.100.0/24' }])
  expect((await save('203.0.112.0/24')).status).toBe(200)
})

test.each([
  ['whitelist', listWhitelist],
  ['blacklist', listBlacklist],
] as const)(
  'the %s is searched by an address or a subnet that overlaps, also with a part of an alias',
  async (name, call) => {
    const caller = await callerFor(call)
    const office = await alias('Офис', '198.51.100.16/28', '192.0.2.1')
    const [byIp, byAlias] = await list(
      { list: name, ip: '198.51.100.16/28' },
      { list: name, aliasId: office },
      { list: name, ip: '10.0.0.0/8' },
      { list: name === 'whitelist' ? 'blacklist' : 'whitelist', ip: '198.51.100.16/28' },
    )
    const idsFor = async (ip: string) =>
      (await caller.call(call, { query: { filter: { ip } } })).accesses.map(({ id }) => id).toSorted()
    const both = [byIp, byAlias].toSorted()
    for (const ip of ['198.51.100.17', '198.51.100.16/28', '198.51.100.0/24'])
      expect(await idsFor(ip), ip).toEqual(both)
    expect(await idsFor('192.0.2.0/24')).toEqual([byAlias])
    expect(await idsFor('198.51.100.32/28')).toEqual([])
  },
)

describe('access:open', () => {
  const shell = { changerId: null, ip: null, requestId: 'access:open' }
  const rows = (entity: string) =>
    db().select().from(history).where(eq(history.entity, entity)).orderBy(asc(history.id))

  test('opens for an address: it switches off whitelistMode and entries that deny it, whatever their dates, and nothing else', async () => {
    const named = await alias('Чужие', '203.0.113.0/24', '198.51.100.0/24')
    await db().transaction((tx) => set(tx, 'whitelistMode', true))
    dropCached('settings')
    const [now = '', later = '', byAlias = '', other = ''] = await list(
      { list: 'blacklist', ip: mine },
      { list: 'blacklist', ip: '203.0.0.0/16', dateFrom: new Date(Date.now() + day) },
      { list: 'blacklist', aliasId: named },
      { list: 'blacklist', ip: '192.0.2.0/24' },
      { list: 'whitelist', ip: '192.0.2.0/24' },
    )
    expect(await verdict(mine)).toBe('denied')
    const opened = await openAccess(`::ffff:${mine}`, new Date())
    expect(opened.whitelistMode).toBe(true)
    expect(opened.entries.map(({ id }) => id).sort()).toEqual([now, later, byAlias].sort())
    expect(opened.entries.flatMap((entry) => entry.named).sort()).toEqual(
      ['203.0.0.0/16', `${mine}/32`, 'Чужие'].sort(),
    )
    expect([await verdict(mine), await verdict(mine, new Date(Date.now() + 2 * day))]).toEqual(['allowed', 'allowed'])
    expect(await verdict('192.0.2.1')).toBe('denied')
    const change = { type: 'update', previous: true, current: false, ...shell }
    expect(await rows('settings')).toMatchObject([{ ...change, entityId: 'whitelistMode', field: 'whitelistMode' }])
    expect((await rows('access-lists')).map(({ entityId }) => entityId).sort()).toEqual([now, later, byAlias].sort())
    for (const row of await rows('access-lists')) expect(row).toMatchObject({ ...change, field: 'enabled' })
    expect(await openAccess(mine, new Date())).toEqual({ whitelistMode: false, entries: [] })
    expect((await openAccess(null, new Date())).entries.map(({ id }) => id)).toEqual([other])
    expect(await verdict('192.0.2.1')).toBe('allowed')
  })
})

describe('refused addresses in the history', () => {
  const start = Math.floor(Date.now() / hour) * hour
  const at = (offset: number, index = 0) => new Date(start + index * hour + offset)
  const noted = () =>
    db()
      .select()
      .from(history)
      .where(and(eq(history.entity, 'address-refusals')))
      .orderBy(asc(history.id))
  const refused = (key: string, when: Date) => ({ key, ip: key.replace('/64', '1'), requestId: 'r', at: when })
  afterEach(async () => {
    await db().delete(addressRefusals)
    // the application's role can't delete history, so each test has other hours
  })

  test('are recorded once an hour for an IPv4 address or an IPv6 /64, whichever process refused it', async () => {
    const before = (await noted()).length
    const since = async () => (await noted()).slice(before)
    const books = Array.from({ length: 5 }, () => createRefusalCounts())
    for (const book of books)
      for (const ip of ['192.0.2.1', '192.0.2.1', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'])
        book.note(ip, 'request', at(1_000))
    await Promise.all(books.map((book) => book.close()))
    const rows = await since()
    expect(rows.map(({ entityId }) => entityId).sort()).toEqual(['192.0.2.1', '2001:db8:1:2::/64', '2001:db8:1:3::/64'])
    for (const row of rows) expect(row).toMatchObject({ type: 'create', changerId: null, date: at(1_000) })
    const again = createRefusalCounts()
    again.note('192.0.2.1', 'request', at(hour - 1))
    await again.close()
    expect(await since()).toHaveLength(3)
    again.note('192.0.2.1', 'request', at(0, 1))
    await again.close()
    expect((await noted()).at(-1)).toMatchObject({ entityId: '192.0.2.1', ip: '192.0.2.1', date: at(0, 1) })
  })

  test('are at most a hundred an hour, however many processes store them, then one row with a count', async () => {
    const before = (await noted()).length
    const index = 10
    const stores = Array.from({ length: 30 }, (_, process) =>
      storeRefusals(
        at(0, index),
        Array.from({ length: 6 }, (_, ip) => refused(`10.${process}.0.${ip}`, at(5, index))),
        2,
      ),
    )
    const answers = await Promise.all(stores)
    expect((await noted()).length - before).toBe(maxRowsPerHour)
    expect(answers.flatMap(({ keys }) => keys)).toHaveLength(maxRowsPerHour)
    // the hour isn't over, and processes may still report refusals
    await recordRefusals(at(60_000, index + 1))
    expect((await noted()).length - before).toBe(maxRowsPerHour)
    await Promise.all(Array.from({ length: 30 }, () => recordRefusals(at(6 * 60_000, index + 1))))
    const rows = (await noted()).slice(before)
    expect(rows).toHaveLength(maxRowsPerHour + 1)
    expect(rows.at(-1)).toMatchObject({
      entityId: 'others',
      field: 'requests',
      current: 30 * 6 - maxRowsPerHour + 30 * 2,
      ip: null,
      date: at(hour - 1, index),
    })
    // later refusals don't make a second row
    await storeRefusals(at(0, index), [], 7)
    await recordRefusals(at(20 * 60_000, index + 1))
    expect((await noted()).slice(before)).toHaveLength(maxRowsPerHour + 1)
  })

  test('from a thousand networks cost a few statements, and all are counted', async () => {
    const before = (await noted()).length
    const index = 20
    let stored = 0
    const book = createRefusalCounts((...given) => {
      stored++
      return storeRefusals(...given)
    })
    for (let network = 0; network < 1_000; network++)
      for (let round = 0; round < 3; round++) book.note(`2001:db8:${network.toString(16)}::1`, 'r', at(round, index))
    await book.close()
    for (let network = 0; network < 1_000; network++)
      book.note(`2001:db8:${network.toString(16)}::1`, 'r', at(9, index))
    await book.close()
    expect(stored).toBe(2)
    await recordRefusals(at(0, index + 2))
    const rows = (await noted()).slice(before)
    expect(rows).toHaveLength(maxRowsPerHour + 1)
    expect(rows.at(-1)).toMatchObject({ entityId: 'others', current: 900 * 4 })
  })

  test('wait in bounded memory while the database is unavailable, and are stored afterwards', async () => {
    const before = (await noted()).length
    const index = 30
    let away = true
    const book = createRefusalCounts((...given) =>
      away ? Promise.reject(new pg.DatabaseError('away', 0, 'error')) : storeRefusals(...given),
    )
    for (let host = 1; host <= 250; host++) book.note(`192.0.2.${host}`, 'r', at(host, index))
    await book.close()
    for (let host = 1; host <= 250; host++) book.note(`192.0.2.${host}`, 'r', at(host, index))
    await book.close()
    expect(await noted()).toHaveLength(before)
    away = false
    await book.close()
    await recordRefusals(at(0, index + 2))
    const rows = (await noted()).slice(before)
    expect(rows).toHaveLength(maxRowsPerHour + 1)
    expect(rows.at(-1)).toMatchObject({ entityId: 'others', current: 300 })
  })
})
