import { randomUUID } from 'node:crypto'
import { and, asc, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { deviceTypes, history, networkAliases, users } from '@/db/schema'
import { audit } from '@/lib/base/audit/audit'
import { requireVersion } from '@/lib/base/audit/conflict'
import { json, secret, text } from '@/lib/base/audit/entity'
import { FailureBody } from '@/lib/base/http/openapi'
import { updateNetworkAlias } from '@/lib/network/network-aliases/contract'
import { createNetworkAlias } from '@/lib/network/network-aliases/service'
import {
  deleteDeviceType as deleteDeviceTypeCall,
  updateDeviceType as updateDeviceTypeCall,
} from '@/lib/site/device-types/contract'
import { updateDeviceType } from '@/lib/site/device-types/service'
import { signedInWith } from '../../factories/access'
import { oneOf30, thirty } from '../../factories/at-once'
import type { Browser } from '../../factories/browser'
import { createContext } from '../../factories/context'
import { eachRound } from '../../factories/random-cases'
import { handlerOf } from '../../factories/routes'
import { useTestDatabase } from '../../setup/database'

const deleteDeviceType = handlerOf(deleteDeviceTypeCall)
const putDeviceType = handlerOf(updateDeviceTypeCall)
const putAlias = handlerOf(updateNetworkAlias)

useTestDatabase()

const both = ['device-types.read', 'device-types.write']
async function newType(name = 'Киоск') {
  const [type] = await db().insert(deviceTypes).values({ code: randomUUID(), name }).returning()
  if (!type) throw new Error('no type')
  return type
}
type Type = Awaited<ReturnType<typeof newType>>
const bodyOf = ({ code, updatedAt }: Type, name: string) => ({
  code,
  name,
  nameEn: '',
  updatedAt: updatedAt.toISOString(),
})
const save = (browser: Browser, type: Type, name: string) =>
  browser.send(putDeviceType, 'PUT', { params: { id: type.id }, body: bodyOf(type, name) })
const stored = async (id: string) => (await db().select().from(deviceTypes).where(eq(deviceTypes.id, id)))[0] as Type
const named = async (methods: readonly string[], lastName: string, firstName: string) => {
  const signedIn = await signedInWith(methods)
  await db()
    .update(users)
    .set({ lastName, firstName, fio: `${lastName} ${firstName}` })
    .where(eq(users.id, signedIn.user.id))
  return signedIn
}

describe('a person who saves an older version', () => {
  test('learns who saved the newer one, when, and its values; after a choice the save works and is recorded', async () => {
    const [first, second] = [await named(both, 'Орлов', 'Дмитрий'), await named(both, 'Ветрова', 'Анна')]
    const type = await newType()
    expect((await save(first.browser, type, 'Их киоск')).status).toBe(200)
    const { status, body } = await save(second.browser, type, 'Мой киоск')
    const now = await stored(type.id)
    expect(status).toBe(409)
    expect(FailureBody.parse(body)).toMatchObject({
      code: 'conflict',
      data: {
        conflict: {
          updatedAt: now.updatedAt.toISOString(),
          at: now.updatedAt.toISOString(),
          by: { name: 'Орлов Дмитрий', you: false },
          values: { name: 'Их киоск', nameEn: null, code: type.code },
          hidden: [],
        },
      },
    })

    expect((await save(second.browser, now, 'Мой киоск')).status).toBe(200)
    const rows = await db()
      .select()
      .from(history)
      .where(and(eq(history.entityId, type.id), eq(history.field, 'name')))
      .orderBy(asc(history.id))
    expect(rows.map(({ previous, current, changerId }) => [previous, current, changerId])).toEqual([
      ['Киоск', 'Их киоск', first.user.id],
      ['Их киоск', 'Мой киоск', second.user.id],
    ])
  })

  test('learns that they saved it themselves in another window', async () => {
    const { browser } = await signedInWith(both)
    const type = await newType()
    await save(browser, type, 'Первое окно')
    const { body } = await save(browser, type, 'Второе окно')
    expect(body.data).toMatchObject({ conflict: { by: { you: true } } })
  })

  test('learns only that it changed if the history doesn’t know who changed it', async () => {
    const [first, second] = [await signedInWith(both), await signedInWith(both)]
    const type = await newType()
    await save(first.browser, type, 'Раньше')
    const read = await stored(type.id)
    await db().update(deviceTypes).set({ name: 'Мимо истории' }).where(eq(deviceTypes.id, type.id))
    const { body } = await save(second.browser, read, 'Мой')
    // the history knows only who saved an older version
    expect(body.data).toMatchObject({ conflict: { by: null, values: { name: 'Мимо истории' } } })
  })

  test('learns nothing about it without the right to read', async () => {
    const reader = await signedInWith(both)
    const type = await newType()
    await save(reader.browser, type, 'Тайна')
    // today everybody who may write may also read; this test covers roles with less
    const ctx = await createContext({ methods: ['device-types.write'] })
    const late = () => updateDeviceType(ctx, { params: { id: type.id }, body: bodyOf(type, 'Мой') }).catch((e) => e)
    expect(await late()).toMatchObject({ status: 409, code: 'conflict', data: {} })
    expect((await late()).data).toEqual({})
    await reader.browser.send(deleteDeviceType, 'DELETE', { params: { id: type.id } })
    expect(await late()).toMatchObject({ status: 404 })
    expect((await late()).data).toEqual({})
  })

  test('learns no more about others than users.read allows: a program sees no name, and nobody sees the login of a person without a name', async () => {
    const [orlov, nameless] = [await named(both, 'Орлов', 'Дмитрий'), await signedInWith(both)]
    await db().update(users).set({ lastName: '', firstName: '', fio: '' }).where(eq(users.id, nameless.user.id))
    const person = async (...more: string[]) => createContext({ methods: [...both, ...more] })
    const program = async (...more: string[]) => {
      const service = { applicationId: randomUUID(), clientId: 'x', methods: new Set([...both, ...more]) }
      return { ...(await createContext()), service: { ...service, methodIds: new Set<string>() } }
    }
    const read = 'users.read'
    for (const [saver, asking, name] of [
      [orlov, await person(), 'Орлов Дмитрий'],
      [orlov, await program(), null],
      [orlov, await program(read), 'Орлов Дмитрий'],
      [nameless, await person(), null],
      [nameless, await program(), null],
      [nameless, await person(read), nameless.user.login],
    ] as const) {
      const type = await newType()
      const late = () =>
        updateDeviceType(asking, { params: { id: type.id }, body: bodyOf(type, 'Мой') }).catch((e) => e)
      const changer = name && { name, you: false }
      expect((await save(saver.browser, type, 'Их')).status).toBe(200)
      expect((await late()).data.conflict).toMatchObject({ by: changer, values: { name: 'Их' } })
      await saver.browser.send(deleteDeviceType, 'DELETE', { params: { id: type.id } })
      expect((await late()).data.deleted).toEqual({ at: expect.any(String), by: changer })
    }
  })

  test('learns who deleted it', async () => {
    const [first, second] = [await named(both, 'Орлов', 'Дмитрий'), await signedInWith(both)]
    const type = await newType()
    await first.browser.send(deleteDeviceType, 'DELETE', { params: { id: type.id } })
    const { status, body } = await save(second.browser, type, 'Мой')
    expect(status).toBe(404)
    expect(FailureBody.parse(body).data).toEqual({
      deleted: { at: expect.any(String), by: { name: 'Орлов Дмитрий', you: false } },
    })
    const never = await second.browser.send(putDeviceType, 'PUT', {
      params: { id: randomUUID() },
      body: bodyOf(type, 'Мой'),
    })
    expect([never.status, never.body.data]).toEqual([404, {}])
  })

  test('gets the stored addresses of an alias', async () => {
    const writer = await signedInWith(['network-aliases.read', 'network-aliases.write'])
    const ctx = await createContext({ methods: ['network-aliases.write'] })
    const ips = [{ ip: '192.0.2.0/24', comment: 'офис' }]
    const { id } = await createNetworkAlias(ctx, { body: { name: randomUUID(), ips, comment: '' } })
    const [alias] = await db().select().from(networkAliases).where(eq(networkAliases.id, id))
    await db().update(networkAliases).set({ comment: 'другое' }).where(eq(networkAliases.id, id))
    const { body } = await writer.browser.send(putAlias, 'PUT', {
      params: { id },
      body: { name: 'x', ips: [{ ip: '198.51.100.1' }], updatedAt: alias?.updatedAt.toISOString() },
    })
    expect(body.data).toMatchObject({ conflict: { values: { ips, comment: 'другое' } } })
  })

  test('never gets the value of a secret, or of a field with a secret part', async () => {
    const ctx = await createContext({ methods: ['device-types.read'] })
    const entity = {
      name: 'device-types',
      fields: {
        name: text('x'),
        password: secret('x'),
        kept: secret('x'),
        gateway: json<{ url: string; key: string }>('x', { key: true }),
      },
    } as const
    const id = randomUUID()
    const row = {
      name: 'n',
      password: 'hunter2',
      kept: 'hunter3',
      gateway: { url: 'u', key: 'hunter4' },
      updatedAt: new Date(),
    }
    const read = new Date(row.updatedAt.getTime() - 1000).toISOString()
    const failure = await db()
      .transaction(async (tx) => {
        const before = { ...row, password: 'old', gateway: { url: 'u', key: 'old' } }
        const { updatedAt: _, ...valuesBefore } = before
        const { updatedAt: __, ...is } = row
        await audit(tx, ctx, entity, id, valuesBefore, is)
        await requireVersion(tx, ctx, entity, { id, row, updatedAt: read })
      })
      .catch((error: unknown) => error as { data: unknown })
    expect(failure).toMatchObject({ data: { conflict: { values: { name: 'n' }, hidden: ['password', 'gateway'] } } })
    expect(JSON.stringify(failure)).not.toContain('hunter')
  })
})

test('wins once among thirty who save one version at once; each of the others learns who won', async () => {
  const people = await Promise.all(['Первый', 'Второй', 'Третий'].map((lastName) => named(both, lastName, 'Участник')))
  let type = await newType()
  let tried = 0
  for (const round of eachRound(5)) {
    tried++
    const answers = await thirty(async (n) => {
      const { browser } = people[n % 3] as (typeof people)[number]
      return { n, ...(await save(browser.copy(), type, `Киоск ${round}-${n}`)) }
    })
    expect(answers.map(({ status }) => status).sort()).toEqual(oneOf30)
    const winner = answers.find(({ status }) => status === 200)?.n ?? -1
    const now = await stored(type.id)
    expect(now.name).toBe(`Киоск ${round}-${winner}`)
    const { user } = people[winner % 3] as (typeof people)[number]
    const [row] = await db().select({ fio: users.fio }).from(users).where(eq(users.id, user.id))
    for (const { n, status, body } of answers)
      if (status === 409)
        expect(body.data).toEqual({
          conflict: {
            updatedAt: now.updatedAt.toISOString(),
            at: now.updatedAt.toISOString(),
            by: { name: row?.fio, you: n % 3 === winner % 3 },
            values: { name: now.name, nameEn: null, code: type.code },
            hidden: [],
          },
        })
    type = now
  }
  const saved = await db().$count(history, and(eq(history.entityId, type.id), eq(history.field, 'name')))
  expect(saved).toBe(tried)
})
