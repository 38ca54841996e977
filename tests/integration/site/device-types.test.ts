import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history } from '@/db/schema'
import { buildContext } from '@/lib/request/build'
import { cookieJar } from '@/lib/request/cookies'
import type { DeviceType } from '@/lib/site/device-types/contract'
import {
  createDeviceType,
  deleteDeviceType,
  listDeviceTypes,
  searchDeviceTypes,
  updateDeviceType,
} from '@/lib/site/device-types/contract'
import { signedInWith } from '../../factories/access'
import type { Browser } from '../../factories/browser'
import { createDomainWith } from '../../factories/platform'
import { handlerOf } from '../../factories/routes'
import { useTestDatabase } from '../../setup/database'

const DELETE = handlerOf(deleteDeviceType)
const PUT = handlerOf(updateDeviceType)
const GET = handlerOf(listDeviceTypes)
const POST = handlerOf(createDeviceType)
const search = handlerOf(searchDeviceTypes)

useTestDatabase()

let admin: Browser
beforeAll(async () => {
  admin = (await signedInWith(['device-types.read', 'device-types.write'])).browser
})

const create = (body: object) => admin.send(POST, 'POST', { body })
const created = async (body: object) => {
  const answer = await create(body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body as { id: string; code: string }
}
const change = (id: string, body: object) => admin.send(PUT, 'PUT', { params: { id }, body })
const remove = (id: string) => admin.send(DELETE, 'DELETE', { params: { id } })
const list = async (query: Record<string, string> = { 'meta[perPage]': '100' }) => {
  const { status, body } = await admin.send(GET, 'GET', { query })
  expect(status, JSON.stringify(body)).toBe(200)
  return (body as { devicesTypes: DeviceType[] }).devicesTypes
}
const byCode = async (code: string) => (await list()).find((type) => type.code === code) as DeviceType
const refused = (field: string, code: string) => ({ status: 400, body: { data: { errorList: [{ field, code }] } } })

/** Returns the device type of a request with the cookie of a managed device. */
const typeOfRequest = async (code: string) => {
  const cookie = `deviceType=${code}`
  const headers = new Headers({ host: 'localhost:3000', cookie })
  return (await buildContext(headers, cookieJar(cookie).cookies)).ctx.deviceType
}

describe('a device type', () => {
  test.each([
    { names: ['Киоск в холле', 'Киоск в холле'], codes: ['kiosk-v-kholle', 'kiosk-v-kholle-2'] },
    { names: ['Щит №5 (Ёлка)'], codes: ['shchit-5-elka'] },
    { names: ['Café Münch'], codes: ['cafe-munch'] },
    { names: ['🖥', '!!!'], codes: ['device', 'device-2'] },
  ])('named $names gets the code $codes', async ({ names, codes }) => {
    for (const [at, name] of names.entries()) {
      const code = codes[at] ?? ''
      expect(await created({ name })).toMatchObject({ code })
      expect(await byCode(code)).toMatchObject({ name, nameEn: '', immutable: false, domainsCount: 0 })
    }
  })

  test('created many times at once gets a different code each time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => created({ name: 'Терминал' })))
    expect(new Set(answers.map(({ code }) => code)).size).toBe(8)
  })

  test('keeps the given code if it is Latin and unused', async () => {
    expect(await created({ name: 'Касса', nameEn: 'Till', code: 'till' })).toMatchObject({ code: 'till' })
    expect(await create({ name: 'Касса', code: 'till' })).toMatchObject(refused('code', 'errorUnique'))
    for (const code of ['касса', 'Till', 'a b', '-a', 'a_b'])
      expect(await create({ name: 'Касса', code }), code).toMatchObject(refused('code', 'errorLatin'))
    expect(await create({ name: ' ' })).toMatchObject(refused('name', 'errorEmpty'))
  })

  test('applies to requests as soon as it is created, and no longer once it is deleted', async () => {
    expect(await typeOfRequest('gate')).toBe('desktop')
    const { id } = await created({ name: 'Проходная', code: 'gate' })
    expect(await typeOfRequest('gate')).toBe('gate')
    await change(id, { name: 'Проходная', nameEn: '', code: 'entrance' })
    expect(await typeOfRequest('gate')).toBe('desktop')
    expect(await typeOfRequest('entrance')).toBe('entrance')
    expect((await remove(id)).status).toBe(200)
    expect(await typeOfRequest('entrance')).toBe('desktop')
  })

  test('that is changed and deleted leaves its history', async () => {
    const [{ id, code }, other] = [await created({ name: 'Панель' }), await created({ name: 'Занята' })]
    expect((await change(id, { name: 'Панель', nameEn: 'Panel', code })).status).toBe(200)
    expect(await change(id, { name: 'Панель', nameEn: 'Panel', code: other.code })).toMatchObject(
      refused('code', 'errorUnique'),
    )
    expect((await remove(id)).status).toBe(200)
    const rows = await db().select().from(history).where(eq(history.entityId, id)).orderBy(history.id)
    expect(rows.map(({ type, field, previous, current }) => [type, field, previous, current])).toEqual([
      ['create', 'name', null, 'Панель'],
      ['create', 'code', null, 'panel'],
      ['update', 'nameEn', null, 'Panel'],
      ['delete', 'name', 'Панель', null],
      ['delete', 'nameEn', 'Panel', null],
      ['delete', 'code', 'panel', null],
    ])
    expect((await remove(id)).status).toBe(404)
    expect((await change(id, { name: 'Панель', code: 'panel' })).status).toBe(404)
  })

  test('that many save from the same version is saved once; the others get 409', async () => {
    const { id, code } = await created({ name: 'Общий' })
    const { updatedAt } = await byCode(code)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => change(id, { name: `Общий ${n}`, code, updatedAt })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  })

  test('that is shipped keeps its code and can’t be deleted, but can be renamed', async () => {
    for (const code of ['desktop', 'mobile', 'tablet']) {
      const { id, name, nameEn, immutable } = await byCode(code)
      expect(immutable).toBe(true)
      expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'deviceTypeImmutable' } })
      expect(await change(id, { name, nameEn, code: `${code}-2` })).toMatchObject(refused('code', 'errorImmutable'))
      expect((await change(id, { name: `${name} 2`, nameEn, code })).status).toBe(200)
      expect(await byCode(code)).toMatchObject({ name: `${name} 2`, code })
    }
  })

  test('that a domain restricts can’t be deleted', async () => {
    const { id, code } = await created({ name: 'Стойка' })
    await createDomainWith({ hosts: ['desk.localhost'], devicesIdAttributes: { [id]: ['login'] } })
    expect(await byCode(code)).toMatchObject({ domainsCount: 1 })
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'deviceTypeUsed' } })
    expect(await byCode(code)).toBeDefined()
  })
})

describe('the list', () => {
  test('finds by name in either language and by code, sorted by name by default', async () => {
    await created({ name: 'Инфомат', nameEn: 'Information desk', code: 'infomat-1' })
    for (const text of ['ИНФО', 'desk', 'infomat-'])
      expect(
        (await list({ 'filter[search]': text })).map(({ name }) => name),
        text,
      ).toContain('Инфомат')
    const names = (await list()).map(({ name }) => name)
    expect(names).toEqual(names.toSorted(new Intl.Collator('und').compare))
    // sorted as they are read: on English pages by the English name
    admin.cookies.set('locale', 'en')
    const english = (await list()).map(({ name, nameEn }) => nameEn || name)
    expect(english).toEqual(english.toSorted(new Intl.Collator('und').compare))
    admin.cookies.delete('locale')
    const codes = (await list({ sortBy: 'code', sort: 'desc' })).map(({ code }) => code)
    expect(codes).toEqual(codes.toSorted().reverse())
  })

  test('of options is open to the areas that need it', async () => {
    const { browser } = await signedInWith(['domains.read'])
    const { status, body } = await browser.send(search, 'GET', { query: { searchValue: 'tablet' } })
    expect({ status, body }).toMatchObject({ status: 200, body: { devicesTypes: [{ code: 'tablet' }] } })
    expect((await browser.send(GET, 'GET')).status).toBe(403)
    const all = await list()
    const ids = all.slice(0, 2).map(({ id }) => id)
    const answer = (await browser.send(search, 'GET', { query: { ids } })).body as { devicesTypes: DeviceType[] }
    expect(answer.devicesTypes.map(({ id }) => id).sort()).toEqual(ids.sort())
  })

  test('of options is sorted by the names in the reader’s language', async () => {
    await created({ name: 'Яркий щит', nameEn: 'Abacus' })
    const choice = async () => ((await admin.send(search, 'GET')).body as { devicesTypes: DeviceType[] }).devicesTypes
    const { compare } = new Intl.Collator('und')
    const names = (await choice()).map(({ name }) => name)
    expect(names).toEqual(names.toSorted(compare))
    admin.cookies.set('locale', 'en')
    const english = (await choice()).map(({ name, nameEn }) => nameEn || name)
    expect(english).toEqual(english.toSorted(compare))
    admin.cookies.delete('locale')
  })
})
