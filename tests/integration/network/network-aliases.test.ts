import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { accessListEntries, history, networkAliases } from '@/db/schema'
import { patchUserSettings } from '@/lib/my-account/settings/contract'
import type { NetworkAlias } from '@/lib/network/network-aliases/contract'
import {
  createNetworkAlias,
  deleteNetworkAlias,
  listNetworkAliases,
  searchNetworkAliases,
  updateNetworkAlias,
} from '@/lib/network/network-aliases/contract'
import { trustedProxies } from '@/lib/network/trusted-proxies/service'
import { signedInAsAdministrator, signedInWith } from '../../factories/access'
import type { Browser } from '../../factories/browser'
import { store } from '../../factories/platform'
import { handlerOf } from '../../factories/routes'
import { useTestDatabase } from '../../setup/database'
import { eventually } from '../../setup/eventually'

const DELETE = handlerOf(deleteNetworkAlias)
const PUT = handlerOf(updateNetworkAlias)
const GET = handlerOf(listNetworkAliases)
const POST = handlerOf(createNetworkAlias)
const search = handlerOf(searchNetworkAliases)
const settings = handlerOf(patchUserSettings)

useTestDatabase()

let admin: Browser
beforeAll(async () => {
  admin = (await signedInAsAdministrator()).browser
})

let made = 0
const input = (wishes: object = {}) => {
  made++
  return { name: `Сеть ${made}`, ips: [{ ip: `10.0.${made}.0/24`, comment: '' }], comment: '', ...wishes }
}
const create = async (wishes: object = {}) => {
  const { status, body } = await admin.send(POST, 'POST', { body: input(wishes) })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.id as string
}
const list = async (query: Record<string, string> = {}) => {
  const { status, body } = await admin.send(GET, 'GET', { query })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as { networks: NetworkAlias[]; meta: { total: number; pages: number } }
}
const names = async (query: Record<string, string>) => (await list(query)).networks.map(({ name }) => name)
const rowOf = async (id: string, name: string) => {
  const { networks } = await list({ 'filter[search]': name })
  const row = networks.find((network) => network.id === id)
  if (!row) throw new Error(`${name} is not listed`)
  return row
}
const change = (id: string, body: object) => admin.send(PUT, 'PUT', { params: { id }, body })
const remove = (id: string) => admin.send(DELETE, 'DELETE', { params: { id } })
const rowsOf = (id: string) => db().select().from(history).where(eq(history.entityId, id)).orderBy(history.id)

describe('a network alias', () => {
  test('is created with normalized addresses, and is in the list and the history', async () => {
    const body = input({
      name: '  Офис  ',
      ips: [
        { ip: '10.12.3.4/16', comment: 'Москва' },
        { ip: ' 192.0.2.7 ', comment: '' },
        { ip: '2001:DB8:0:0::/32', comment: '' },
        { ip: '::ffff:198.51.100.1', comment: '' },
        { ip: '192.0.2.8/32', comment: '' },
      ],
      comment: 'Центральный',
    })
    const id = await create(body)
    const ips = [
      { ip: '10.12.0.0/16', comment: 'Москва' },
      { ip: '192.0.2.7', comment: '' },
      { ip: '2001:db8::/32', comment: '' },
      { ip: '198.51.100.1', comment: '' },
      { ip: '192.0.2.8', comment: '' },
    ]
    expect(await rowOf(id, 'Офис')).toMatchObject({ name: 'Офис', ips, comment: 'Центральный', usedIn: [] })
    expect(await rowsOf(id)).toMatchObject([
      { type: 'create', entity: 'network-aliases', field: 'name', previous: null, current: 'Офис' },
      { field: 'ips', current: ips },
      { field: 'comment', current: 'Центральный' },
    ])
  })

  test.each([
    ['10.0.0.256', 'errorSubnet'],
    ['10.0.0', 'errorSubnet'],
    ['010.0.0.1', 'errorSubnet'],
    ['10.0.0.1/33', 'errorSubnet'],
    ['10.0.0.1/', 'errorSubnet'],
    ['10.0.0.1/8/8', 'errorSubnet'],
    ['2001:db8::/129', 'errorSubnet'],
    ['fe80::1%eth0', 'errorSubnet'],
    ['example.com', 'errorSubnet'],
    ['', 'errorEmpty'],
    ['10.0.0.0/8', 'errorDuplicate'],
    ['::ffff:10.0.0.0/104', 'errorDuplicate'],
  ])('is refused for the address %j, by its field: %s', async (ip, code) => {
    const before = (await list()).meta.total
    const ips = [
      { ip: '10.0.0.0/8', comment: '' },
      { ip, comment: '' },
    ]
    expect(await admin.send(POST, 'POST', { body: input({ ips }) })).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'ips.1.ip', code }] } },
    })
    expect((await list()).meta.total).toBe(before)
  })

  test('is refused without a name, without addresses, and with a used name', async () => {
    const existing = input()
    await create(existing)
    for (const [wishes, field, code] of [
      [{ name: ' ' }, 'name', 'errorEmpty'],
      [{ name: 'я'.repeat(101) }, 'name', 'errorTooLong'],
      [{ ips: [] }, 'ips', 'errorEmpty'],
      [{ name: existing.name }, 'name', 'errorUnique'],
    ] as const)
      expect(await admin.send(POST, 'POST', { body: input(wishes) })).toMatchObject({
        status: 400,
        body: { data: { errorList: [{ field, code }] } },
      })
    const other = await create()
    expect(await change(other, input({ name: existing.name }))).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'name', code: 'errorUnique' }] } },
    })
  })

  test('is replaced as a whole; unchanged parts aren’t in the history, and saving the same changes nothing', async () => {
    const before = input({ comment: 'как было' })
    const id = await create(before)
    const ips = [{ ip: '172.16.0.0/12', comment: 'новая' }]
    expect((await change(id, { ...before, ips })).status).toBe(200)
    const row = await rowOf(id, before.name)
    expect(row).toMatchObject({ ips, comment: 'как было' })
    expect((await rowsOf(id)).filter(({ type }) => type === 'update')).toMatchObject([
      { field: 'ips', previous: before.ips, current: ips },
    ])
    expect((await change(id, { ...before, ips })).status).toBe(200)
    expect(await rowOf(id, before.name)).toEqual(row)
    expect(await rowsOf(id)).toHaveLength(3 + 1)
  })

  test('that many save from the same version is saved once; the others get 409', async () => {
    const before = input()
    const id = await create(before)
    const { updatedAt } = await rowOf(id, before.name)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => change(id, { ...before, comment: `${n}`, updatedAt })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status, body }) => status === 409 && body.code === 'conflict')).toHaveLength(19)
  })

  test('is deleted with its addresses, once', async () => {
    const body = input()
    const id = await create(body)
    expect((await remove(id)).status).toBe(200)
    expect(await names({ 'filter[search]': body.name })).toEqual([])
    expect((await rowsOf(id)).filter(({ type }) => type === 'delete')).toMatchObject([
      { field: 'name', previous: body.name, current: null },
      { field: 'ips' },
      { field: 'comment' },
    ])
    expect(await remove(id)).toMatchObject({ status: 404, body: { code: 'notFound' } })
    expect((await change(id, input())).status).toBe(404)
  })

  test('can’t be deleted while a list or the trusted proxies use it, and the answer says where', async () => {
    const [listed, trusted] = [input(), input()]
    const [listedId, trustedId] = [await create(listed), await create(trusted)]
    await db()
      .insert(accessListEntries)
      .values([
        { list: 'whitelist', aliasId: listedId },
        { list: 'blacklist', aliasId: listedId, enabled: false },
        { list: 'blacklist', aliasId: listedId, enabled: false },
      ])
    await store('reverseProxy', [trustedId])
    expect((await rowOf(listedId, listed.name)).usedIn).toEqual([
      { place: 'whitelist', count: 1 },
      { place: 'blacklist', count: 2 },
    ])
    expect((await rowOf(trustedId, trusted.name)).usedIn).toEqual([{ place: 'reverseProxy', count: 1 }])
    expect((await names({ 'filter[used]': 'true' })).sort()).toEqual([listed.name, trusted.name].sort())
    expect(await names({ 'filter[used]': 'false' })).not.toContain(listed.name)
    for (const id of [listedId, trustedId]) {
      expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'networkAliasUsed' } })
      expect(await db().$count(networkAliases, eq(networkAliases.id, id))).toBe(1)
    }
    await db().delete(accessListEntries)
    await store('reverseProxy', [])
    for (const id of [listedId, trustedId]) expect((await remove(id)).status).toBe(200)
  })

  test('in the trusted proxies applies with its current addresses', async () => {
    const body = input({ ips: [{ ip: '198.51.100.10', comment: '' }] })
    const id = await create(body)
    await store('reverseProxy', [id])
    expect(await trustedProxies()).toEqual(['198.51.100.10'])
    await change(id, { ...body, ips: [{ ip: '198.51.100.0/28', comment: '' }] })
    expect(await trustedProxies()).toEqual(['198.51.100.0/28'])
    // a change of another process, which this one gets only through the database
    await db().transaction(async (tx) => {
      await tx.execute(sql`update network_alias_ips set ip = '192.0.2.1' where alias_id = ${id}`)
      await tx.execute(sql`select pg_notify('platform_cache', 'network-aliases')`)
    })
    await eventually(async () => expect(await trustedProxies()).toEqual(['192.0.2.1']))
    await store('reverseProxy', [])
  })
})

describe('the list', () => {
  test('finds by a part of name, comment, address and its comment, in any case', async () => {
    const name = 'Склад «Север»'
    await create({ name, comment: 'Ночная смена', ips: [{ ip: '203.0.113.64/26', comment: 'Резервный канал' }] })
    for (const text of ['север', 'НОЧНАЯ', '113.64', 'канал', '203.0.113.64/26'])
      expect(await names({ 'filter[search]': text }), text).toContain(name)
    for (const text of ['100%', '_', 'нет такого']) expect(await names({ 'filter[search]': text }), text).toEqual([])
  })

  test('finds by an address inside of a subnet, and by a subnet around an address', async () => {
    const name = 'Серверная'
    await create({
      name,
      ips: [
        { ip: '100.64.8.0/22', comment: '' },
        { ip: '2001:4860:8::/48', comment: '' },
      ],
    })
    for (const ip of ['100.64.9.1', '100.64.0.0/16', '2001:4860:8::1', '100.64.8.0/22'])
      expect(await names({ 'filter[ip]': ip }), ip).toEqual([name])
    expect(await names({ 'filter[ip]': '100.64.12.0/24' })).toEqual([])
    expect(await admin.send(GET, 'GET', { query: { 'filter[ip]': 'x' } })).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'filter.ip', code: 'errorSubnet' }] } },
    })
  })

  test('is sorted by name by default, has pages without overlap, and keeps the person’s page size', async () => {
    for (let n = 0; n < 12; n++) await create()
    const all = await names({ 'meta[perPage]': '100' })
    expect(all).toEqual(all.toSorted(new Intl.Collator('und').compare))
    const pages = [
      ...(await names({ 'meta[perPage]': '10' })),
      ...(await names({ 'meta[perPage]': '10', 'meta[page]': '2' })),
    ]
    expect(pages).toEqual(all.slice(0, 20))
    await admin.send(settings, 'PATCH', { body: { settings: { pagination: 10 } } })
    expect((await list()).meta).toMatchObject({ page: 1, perPage: 10, total: all.length })
    const newest = await list({ sortBy: 'updatedAt', sort: 'desc', 'meta[perPage]': '10' })
    const dates = newest.networks.map(({ updatedAt }) => updatedAt)
    expect(dates).toEqual(dates.toSorted().reverse())
    for (const query of [{ sortBy: 'comment' }, { 'filter[name]': 'x' }, { 'meta[perPage]': '7' }] as Record<
      string,
      string
    >[])
      expect((await admin.send(GET, 'GET', { query })).status).toBe(400)
  })

  test('of options is found by text and by ids', async () => {
    const body = input({ name: 'Для выбора' })
    const id = await create(body)
    const searchResult = async (query: Record<string, string | string[]>) =>
      (await admin.send(search, 'GET', { query })).body
    expect(await searchResult({ searchValue: 'выбор' })).toEqual({ networks: [{ id, name: 'Для выбора' }] })
    expect(await searchResult({ ids: id })).toEqual({ networks: [{ id, name: 'Для выбора' }] })
    expect(await searchResult({ ids: [id, crypto.randomUUID()] })).toEqual({ networks: [{ id, name: 'Для выбора' }] })
    for (const area of ['settings.read', 'access-lists.read']) {
      const { browser } = await signedInWith([area])
      expect((await browser.send(search, 'GET')).status).toBe(200)
      expect((await browser.send(GET, 'GET')).status).toBe(403)
    }
  })
})
