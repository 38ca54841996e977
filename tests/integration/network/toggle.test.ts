import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { accessListEntries, history } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { normalSubnet } from '@/lib/base/runtime/subnet'
import { enableBlacklistEntry, enableWhitelistEntry } from '@/lib/network/access-lists/contract'
import { accessRules } from '@/lib/network/access-lists/service'
import { verdictOf } from '@/lib/network/access-lists/verdict'
import { signedInWith } from '../../factories/access'
import type { Browser } from '../../factories/browser'
import { first } from '../../factories/platform'
import { handlerOf } from '../../factories/routes'
import { setSetting } from '../../factories/settings'
import { useTestDatabase } from '../../setup/database'

const blacklist = handlerOf(enableBlacklistEntry)
const whitelist = handlerOf(enableWhitelistEntry)

useTestDatabase()

let admin: Browser
beforeAll(async () => {
  admin = (await signedInWith(['access-lists.write'])).browser
})
afterEach(async () => {
  await db().delete(accessListEntries)
  dropCached('network-aliases')
})

const stranger = '203.0.113.200'
const entry = async (values: Partial<typeof accessListEntries.$inferInsert> = {}) =>
  first(
    await db()
      .insert(accessListEntries)
      .values({ list: 'blacklist', ip: `${stranger}/32`, enabled: false, ...values })
      .returning(),
  )
const read = async (id: string) =>
  first(await db().select().from(accessListEntries).where(eq(accessListEntries.id, id)))
const put = (id: string, body: object, route = blacklist, browser = admin) =>
  browser.send(route, 'PUT', { params: { id }, body })
const changesOf = async (id: string) =>
  (await db().select().from(history).where(eq(history.entityId, id)).orderBy(history.id)).map(
    ({ type, entity, field, previous, current }) => [type, entity, field, previous, current],
  )
const isDenied = async (ip: string) => {
  const rules = await accessRules()
  if (!rules) throw new Error('the lists are not readable')
  return verdictOf(rules.lists, rules.whitelistMode, ip, new Date()) === 'denied'
}

describe('switching an entry of the address lists', () => {
  test('takes effect at once, is recorded, and can be undone', async () => {
    const { id, updatedAt } = await entry()
    expect(await isDenied(stranger)).toBe(false)
    expect((await put(id, { enabled: true, updatedAt: updatedAt.toISOString() })).status).toBe(200)
    const on = await read(id)
    expect(on.enabled).toBe(true)
    expect(on.updatedAt.getTime()).toBeGreaterThan(updatedAt.getTime())
    expect(await isDenied(stranger)).toBe(true)
    expect((await put(id, { enabled: false, updatedAt: on.updatedAt.toISOString() })).status).toBe(200)
    expect(await isDenied(stranger)).toBe(false)
    expect(await changesOf(id)).toEqual([
      ['update', 'access-lists', 'enabled', false, true],
      ['update', 'access-lists', 'enabled', true, false],
    ])
  })

  test('to its present state changes and records nothing', async () => {
    const { id, updatedAt } = await entry()
    expect((await put(id, { enabled: false, updatedAt: updatedAt.toISOString() })).status).toBe(200)
    expect((await read(id)).updatedAt).toEqual(updatedAt)
    expect(await changesOf(id)).toEqual([])
  })

  test('by thirty people from the same version: one wins, the others get a conflict', async () => {
    const { id, updatedAt } = await entry()
    const body = { enabled: true, updatedAt: updatedAt.toISOString() }
    const answers = await Promise.all(Array.from({ length: 30 }, () => put(id, body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(29).fill(409)])
    expect(answers.filter(({ status }) => status === 409).map(({ body }) => body.code)).toEqual(
      Array(29).fill('conflict'),
    )
    expect(await changesOf(id)).toHaveLength(1)
    expect((await read(id)).enabled).toBe(true)
  })

  test('by two people with opposite intentions: the one with the older version gets a conflict, and nothing is undone', async () => {
    const { id, updatedAt } = await entry({ enabled: true })
    const readAt = updatedAt.toISOString()
    const [one, other] = await Promise.all([
      put(id, { enabled: false, updatedAt: readAt }),
      put(id, { enabled: true, updatedAt: readAt }),
    ])
    // setting the present state again is no change, so two such calls may come in either order
    expect(one?.status).toBe(200)
    expect([200, 409]).toContain(other?.status)
    expect((await read(id)).enabled).toBe(false)
  })

  test('is refused if it would deny the caller’s address, and stores nothing', async () => {
    const { id } = await entry({ ip: `${admin.ip}/32` })
    expect(await put(id, { enabled: true })).toMatchObject({
      status: 400,
      body: { data: { errorList: [{ field: 'enabled', code: 'ownAddressDenied' }] } },
    })
    expect((await read(id)).enabled).toBe(false)
    expect(await changesOf(id)).toEqual([])
    expect(await isDenied(admin.ip)).toBe(false)
  })

  test('by thirty people at once, each of whom disables one of thirty, keeps the last one', async () => {
    const leaves = []
    for (let bits = 32; bits > 2; bits--)
      leaves.push(await entry({ list: 'whitelist', ip: normalSubnet(`${admin.ip}/${bits}`) ?? '', enabled: true }))
    await setSetting('whitelistMode', true)
    dropCached('network-aliases')
    const answers = await Promise.all(leaves.map(({ id }) => put(id, { enabled: false }, whitelist)))
    const denied = await isDenied(admin.ip)
    await setSetting('whitelistMode', false)
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(29).fill(200), 400])
    expect(denied).toBe(false)
    expect(await db().$count(accessListEntries, eq(accessListEntries.enabled, true))).toBe(1)
  })

  test('applies only to its own list', async () => {
    const { id } = await entry()
    expect((await put(id, { enabled: true }, whitelist)).status).toBe(404)
    expect((await put(randomUUID(), { enabled: true })).status).toBe(404)
    expect((await read(id)).enabled).toBe(false)
    const white = await entry({ list: 'whitelist' })
    expect((await put(white.id, { enabled: true }, blacklist)).status).toBe(404)
    expect((await put(white.id, { enabled: true }, whitelist)).status).toBe(200)
  })

  test.each([
    {},
    { enabled: 'true' },
    { enabled: null },
    { enabled: true, comment: '' },
    { enabled: true, updatedAt: 'x' },
  ])('refuses %j', async (body) => {
    const { id } = await entry()
    expect((await put(id, body)).status).toBe(400)
    expect((await read(id)).enabled).toBe(false)
  })
})
