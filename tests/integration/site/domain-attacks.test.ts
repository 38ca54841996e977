import { asc } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { domainAliases, domains } from '@/db/schema'
import { createDomain, enableDomain, readDomain, updateDomain } from '@/lib/site/domains/contract'
import { domainByHost } from '@/lib/site/domains/service'
import { thirty } from '../../factories/at-once'
import { type Caller, callerFor } from '../../factories/caller'
import { createDomainWith } from '../../factories/platform'
import { caseNumbers } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const put = (caller: Caller, id: string, aliases: string[], more: object = {}) =>
  caller.send(updateDomain, { params: { id }, body: { aliases, ...more } })

describe('the platform’s own address', () => {
  const spellings = ['localhost', 'LOCALHOST', 'localhost.', 'ＬＯＣＡＬＨＯＳＴ']

  test('stays with the base domain, however it is spelled, also for a draft', async () => {
    const caller = await callerFor(createDomain)
    const { id } = await caller.call(createDomain, { body: { aliases: ['other.example'] } })
    for (const host of spellings)
      for (const type of ['other', 'draft'] as const) {
        const refused = { status: 400, body: { data: { errorList: [{ field: 'aliases.1', code: 'errorBaseHost' }] } } }
        const body = { type, aliases: ['fine.example', host] }
        expect(await caller.send(createDomain, { body }), host).toMatchObject(refused)
        expect(await put(caller, id, body.aliases, { type }), host).toMatchObject(refused)
      }
    expect((await domainByHost('localhost:3000')).base).toBe(true)
    expect((await caller.call(readDomain, { params: { id } })).aliases).toEqual(['other.example'])
  })

  test('may be named by the base domain, and stays where it was before', async () => {
    const caller = await callerFor(createDomain)
    const base = await domainByHost('')
    const { updatedAt: _, id, logoId: __, ...body } = await caller.call(readDomain, { params: { id: base.id } })
    expect((await put(caller, id, ['localhost'], body.locales ? { locales: body.locales } : {})).status).toBe(200)
    expect((await put(caller, id, [], { locales: body.locales })).status).toBe(200)
    const domainId = await createDomainWith({ hosts: ['localhost', 'kept.example'] })
    expect((await put(caller, domainId, ['kept.example', 'localhost'])).status).toBe(200)
    expect((await put(caller, domainId, ['kept.example'])).status).toBe(200)
    expect((await put(caller, domainId, ['kept.example', 'localhost'])).status).toBe(400)
  })
})

test('the base domain stays that, on and with a language, whatever is sent', async () => {
  const caller = await callerFor(updateDomain)
  const params = { id: (await domainByHost('')).id }
  const { id: _, updatedAt: __, logoId: ___, ...body } = await caller.call(readDomain, { params })
  const off = body.locales.map((row) => ({ ...row, enabled: false }))
  const baseFault = { code: 'errorBaseDomain' }
  for (const [fault, change] of [
    [{ field: 'base', ...baseFault }, { base: false }],
    [{ field: 'type', ...baseFault }, { type: 'draft' }],
    [{ field: 'enabled', ...baseFault }, { enabled: false }],
    ...[[], off, off.slice(1)].map((rows) => [{ field: 'locales', code: 'errorEmpty' }, { locales: rows }] as const),
  ] as const)
    expect(
      await caller.send(updateDomain, { params, body: { ...body, ...change } }),
      JSON.stringify(change),
    ).toMatchObject({ status: 400, body: { data: { errorList: [fault] } } })
  expect(await domainByHost('')).toMatchObject({ base: true, locales: ['ru', 'en'] })
})

test('a host name that several domains take from one another at once belongs to one, which serves it', async () => {
  const caller = await callerFor(createDomain)
  const hosts = ['one.example', 'two.example', 'three.example']
  const ids: string[] = []
  for (const host of hosts) ids.push((await caller.call(createDomain, { body: { aliases: [host] } })).id)
  const random = caseNumbers(11)
  const some = () => hosts.filter(() => random(2) === 0)
  let won = 0
  for (let round = 0; round < 3; round++) {
    const answers = await thirty(async (n) => {
      const id = ids[n % 3] ?? ''
      if (n % 10 === 9) return caller.send(enableDomain, { params: { id }, body: { enabled: random(2) === 0 } })
      const ownHost = hosts[n % 3] ?? ''
      return put(caller, id, [...new Set([`${round}-${n}.example`, ownHost, ...some()])])
    })
    // what can't be is said by its place; nothing fails otherwise
    for (const { status, body } of answers) {
      const list = (body as { data?: { errorList?: { field: string; code: string }[] } }).data?.errorList ?? []
      if (status === 200) won++
      else expect([status, ...new Set(list.map(({ code }) => code))]).toEqual([400, 'errorUnique'])
    }
    const rows = await db().select().from(domainAliases).orderBy(asc(domainAliases.host))
    expect(new Set(rows.map(({ host }) => host)).size).toBe(rows.length)
    const on = await db().select().from(domains)
    for (const { host, domainId } of rows) {
      const served = await domainByHost(host)
      const owner = on.find(({ id }) => id === domainId)
      expect(served.id === domainId, host).toBe(Boolean(owner?.enabled && owner.type !== 'draft'))
    }
  }
  expect(won).toBeGreaterThan(5)
})
