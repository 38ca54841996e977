import { randomInt, randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { banners, deviceTypes, domains, dynamicFields, history, roles, users } from '@/db/schema'
import { userEntity } from '@/lib/accounts/users/entity'
import { applicationEntity } from '@/lib/applications/applications/entity'
import { audit, auditEvent } from '@/lib/base/audit/audit'
import { areaOf, defineEntity, text, yesNo } from '@/lib/base/audit/entity'
import type { Ctx } from '@/lib/base/context/ctx'
import { parseOrThrow } from '@/lib/base/http/read'
import { WholeHistoryQuery } from '@/lib/operations/history/contract'
import { entities } from '@/lib/operations/history/entities.generated'
import { readWhole } from '@/lib/operations/history/queries'
import { listHistory, listHistoryTypes, searchChangers, wholeHistory } from '@/lib/operations/history/service'
import { plantInvitation } from '../../factories/companies'
import { createContext } from '../../factories/context'
import { createAgreement } from '../../factories/domains'
import { defineField, removeFields } from '../../factories/fields'
import { first } from '../../factories/platform'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const query = (search: Record<string, unknown> = {}) => parseOrThrow(WholeHistoryQuery, search)
const reader = (...methods: string[]) => createContext({ methods: ['history.read', ...methods] })
const rowsOf = async (by: Ctx, search: Record<string, unknown> = {}) =>
  (await listHistory(by, { query: query({ meta: { perPage: '100' }, ...search }) })).data
const actsOf = async (by: Ctx, search: Record<string, unknown> = {}) =>
  (await wholeHistory(by, query({ meta: { perPage: '100' }, ...search }))).acts

const areas = [...new Set(entities.flatMap((entity) => areaOf(entity) ?? []))]

let ctx: Ctx
beforeAll(async () => {
  ctx = await reader('applications.read', 'network-aliases.read', 'users.read')
})

/** One row of an entity, as nothing but the history needs it. */
const planted = async (entity: string, more: Partial<typeof history.$inferInsert> = {}) =>
  first(
    await db()
      .insert(history)
      .values({ type: 'update', entity, entityId: randomUUID(), requestId: randomUUID(), ...more })
      .returning(),
  )

describe('who may read the whole history', () => {
  test.each([
    ['nobody signed in', undefined, 401],
    ['who may read areas, but not the history', ['applications.read', 'users.read'], 403],
  ])('%s is refused', async (_, methods, status) => {
    const by = await createContext(methods ? { methods } : {})
    for (const read of [
      () => listHistory(by, { query: query() }),
      () => wholeHistory(by, query()),
      async () => listHistoryTypes(by),
      () => searchChangers(by, { query: {} }),
    ])
      await expect(read()).rejects.toMatchObject({ status })
  })

  test('with any areas people see these areas alone, by every call and whatever they filter by', async () => {
    const random = caseNumbers(8)
    const [ip, param, changerId] = ['198.51.100.77', 'planted', randomUUID()]
    const all = []
    for (const { name } of entities)
      for (let n = 0; n < 2; n++) all.push(await planted(name, { ip, changerId, field: param, current: `of ${name}` }))
    all.push(await planted('gone-entity', { ip, changerId, field: param }))
    for (const _ of eachRound(8)) {
      const heldAreas = areas.filter(() => random(2) === 0)
      const by = await reader(...heldAreas.map((area) => `${area}.read`))
      const seen = entities.filter((entity) => {
        const area = areaOf(entity)
        // whoever reads the history has its area
        return !area || area === 'history' || heldAreas.includes(area)
      })
      const expected = all
        .filter(({ entity }) => seen.some(({ name }) => name === entity))
        .map(({ id }) => String(id))
        .toSorted()
      const types = await listHistoryTypes(by)
      expect(types.entities.map(({ entity }) => entity)).toEqual(seen.map(({ name }) => name))
      const filters = [
        { ip },
        { param },
        { changer: changerId },
        { ip, entity: entities.map(({ name }) => name) },
        { ip, type: ['update', 'create'] },
      ]
      for (const filter of filters) {
        expect((await rowsOf(by, { filter })).map(({ id }) => id).toSorted()).toEqual(expected)
        expect((await actsOf(by, { filter })).map(({ id }) => id).toSorted()).toEqual(expected)
      }
      // the exact id of an object finds what its area shows
      for (const row of all) {
        const rows = await rowsOf(by, { filter: { search: row.entityId } })
        expect(rows.map(({ id }) => id)).toEqual(expected.includes(String(row.id)) ? [String(row.id)] : [])
      }
    }
  })

  test('things are shown by what people call them, an invitation by its address', async () => {
    const name = `Имя ${randomUUID()}`
    const { id: invitation, email } = await plantInvitation({ email: `${randomUUID()}@polaris.example` })
    const [type] = await db().insert(deviceTypes).values({ name, code: randomUUID() }).returning()
    const [banner] = await db().insert(banners).values({ title: name, code: randomUUID() }).returning()
    const field = first(
      await db()
        .select()
        .from(dynamicFields)
        .where(eq(dynamicFields.code, await defineField({}))),
    )
    const document = await createAgreement()
    const [domain] = await db().insert(domains).values({ comment: name }).returning()
    const objects = [
      ['invitations', invitation, email],
      ['device-types', type?.id, name],
      ['banners', banner?.id, name],
      ['dynamic-fields', field.id, field.title],
      ['documents', document, expect.stringMatching(/./)],
      ['domains', domain?.id, name],
    ] as const
    for (const [entity, entityId = ''] of objects) await planted(entity, { entityId })
    const by = await reader(...areas.map((area) => `${area}.read`))
    for (const [entity, id = '', called] of objects)
      expect(await actsOf(by, { filter: { search: id } })).toMatchObject([{ object: { entity, id, name: called } }])
    expect(await actsOf(by, { filter: { search: email } })).toMatchObject([{ object: { id: invitation } }])
  })

  test.each([0, 2_000])(
    'an object is found by its name only by those who may read its area, %i rows read whole',
    async (rows) => {
      readWhole.rows = rows
      const name = `Кладовщик ${randomUUID()}`
      const role = first(
        await db().insert(roles).values({ code: randomUUID(), name, roleType: 'systemic' }).returning(),
      )
      const row = await planted('roles', { entityId: role.id })
      const elsewhere = await planted('applications', { entityId: role.id })
      const search = { filter: { search: name.slice(2).toLowerCase() } }
      const knowing = await reader('roles.read', 'applications.read')
      expect((await rowsOf(knowing, search)).map(({ id }) => id)).toEqual([String(row.id)])
      expect(await actsOf(knowing, search)).toMatchObject([
        { object: { entity: 'roles', id: role.id, name, path: `/platform/setting/roles/${role.id}` } },
      ])
      expect(await rowsOf(await reader('applications.read'), search)).toEqual([])
      expect(await rowsOf(knowing, { filter: { search: '%' } })).toEqual([])
      expect((await rowsOf(knowing, { filter: { search: role.id } })).map(({ id }) => id).toSorted()).toEqual(
        [row, elsewhere].map(({ id }) => String(id)).toSorted(),
      )
    },
  )

  test.each([0, 2_000])(
    'a login finds and names somebody only for those who may read users, %i rows read whole',
    async (whole) => {
      readWhole.rows = whole
      const nameless = await createUser({ lastName: '', firstName: '', fio: '' })
      const named = await createUser({ fio: `Зимина ${randomUUID()}` })
      const rows = [
        await planted('applications', { changerId: nameless.id }),
        await planted('applications', { changerId: named.id }),
      ]
      const stranger = await reader('applications.read')
      const search = async (by: Ctx, text: string) => ({
        rows: (await rowsOf(by, { filter: { search: text } })).map(({ id, changer }) => [id, changer?.name]),
        changers: (await searchChangers(by, { query: { searchValue: text } })).changers.map(({ name }) => name),
      })
      const [ofNameless, ofNamed] = rows.map(({ id }) => String(id))
      for (const { login } of [nameless, named])
        expect(await search(stranger, login)).toEqual({ rows: [], changers: [] })
      expect(await search(ctx, nameless.login)).toEqual({
        rows: [[ofNameless, nameless.login]],
        changers: [nameless.login],
      })
      const both = { rows: [[ofNamed, named.fio]], changers: [named.fio] }
      expect(await search(stranger, named.fio ?? '')).toEqual(both)
      expect(await search(ctx, named.fio ?? '')).toEqual(both)
      expect((await rowsOf(stranger, { filter: { changer: nameless.id } }))[0]?.changer).toEqual({
        id: nameless.id,
        name: nameless.id,
      })
      // without a text those who acted last are offered
      expect((await searchChangers(stranger, { query: {} })).changers).toContainEqual({ id: named.id, name: named.fio })
    },
  )

  test('a program without the right to read users learns no names of people', async () => {
    const person = await createUser({ fio: `Летова ${randomUUID()}` })
    const row = await planted('applications', { changerId: person.id })
    const { user } = await reader('applications.read')
    const service = {
      applicationId: randomUUID(),
      clientId: 'siem',
      methods: new Set(user?.methods),
      methodIds: new Set(user?.methodIds),
    }
    const program: Ctx = { ...ctx, user: null, service }
    const filter = { changer: person.id }
    expect(await rowsOf(program, { filter })).toMatchObject([{ id: String(row.id), changer: { name: person.id } }])
    expect((await actsOf(program, { filter }))[0]?.who).toEqual({ kind: 'unknown', name: person.id })
    expect((await wholeHistory(program, query({ filter }))).chosen).toEqual({ id: person.id, name: person.id })
    expect(await rowsOf(program, { filter: { search: person.fio ?? '' } })).toEqual([])
    expect((await searchChangers(program, { query: { searchValue: person.fio ?? '' } })).changers).toEqual([])
  })
})

describe('what is shown', () => {
  test('secrets stay masked, also those that were stored before they were declared', async () => {
    const before = defineEntity('oidcClients', { name: text('x'), secret: text('x'), enabled: yesNo('x') })
    const [id, values] = [randomUUID(), { name: 'a', secret: 'plain one', enabled: true }]
    await db().transaction((tx) => audit(tx, ctx, before, id, values, { ...values, secret: 'plain two' }))
    const [row] = await rowsOf(ctx, { filter: { search: id } })
    expect(row).toMatchObject({ entity: 'oidcClients', entityId: id, field: 'secret', previous: '***', current: '***' })
    const answers = [await rowsOf(ctx, { filter: { search: id } }), await actsOf(ctx, { filter: { search: id } })]
    expect(JSON.stringify(answers)).not.toContain('plain')
  })

  test('a defined field that the administration hides is left out, and can’t be found by its name', async () => {
    const visible = { adminVisible: true, profileVisible: true }
    const [open, hidden] = [await defineField(visible), await defineField({ ...visible, adminVisible: false })]
    const { id } = await createUser()
    const written = { [`field:${open}`]: 'seen by all', [`field:${hidden}`]: 'written down' }
    await db().transaction((tx) => audit(tx, ctx, userEntity, id, null, written as never))
    const filter = { search: id }
    expect((await rowsOf(ctx, { filter })).map(({ field }) => field)).toEqual([open])
    const [act] = await actsOf(ctx, { filter })
    expect(act?.changes.map(({ field }) => field)).toEqual([open])
    for (const read of [rowsOf, actsOf]) {
      for (const spelled of ['', 'field:']) {
        expect(await read(ctx, { filter: { ...filter, param: `${spelled}${hidden}` } })).toEqual([])
        expect(await read(ctx, { filter: { ...filter, param: `${spelled}${open}` } })).toHaveLength(1)
      }
    }
    expect(JSON.stringify([await rowsOf(ctx, { filter }), await actsOf(ctx, { filter })])).not.toContain('written down')
    // not even that something was done
    const other = { ...ctx, requestId: randomUUID() }
    const again = { [`field:${hidden}`]: 'written down' }
    await db().transaction((tx) => audit(tx, other, userEntity, id, again as never, null as never))
    expect(await actsOf(ctx, { filter })).toHaveLength(1)
    expect(await rowsOf(ctx, { filter })).toHaveLength(1)
    await removeFields()
  })

  test('a long value is cut, and the row says so', async () => {
    const { entityId } = await planted('applications', { field: 'name', previous: 'a', current: 'ё'.repeat(5_000) })
    const [row] = await rowsOf(ctx, { filter: { search: entityId } })
    expect(row).toMatchObject({ previous: 'a', cut: true })
    expect(row?.current).toHaveLength(4_000)
  })
})

test('an address is found in every spelling', async () => {
  const ip = `2001:db8::${randomInt(1, 0xffff).toString(16)}`
  const { id } = await planted('applications', { ip })
  const mapped = await planted('applications', { ip: '198.51.100.81' })
  for (const spelling of [ip, ip.toUpperCase(), ip.replace('::', ':0:0:0:0:0:')])
    expect((await rowsOf(ctx, { filter: { ip: spelling } })).map((row) => row.id)).toEqual([String(id)])
  expect((await rowsOf(ctx, { filter: { ip: '::ffff:198.51.100.81' } })).map((row) => row.id)).toEqual([
    String(mapped.id),
  ])
  expect(() => query({ filter: { ip: '198.51.100.0/24' } })).toThrow()
})

test('who is named by the filter acted at some time; nobody else is named', async () => {
  const [acting, idle] = [await createUser({ fio: 'Гладких Инна' }), await createUser({ fio: 'Тихая Инна' })]
  await planted('applications', { changerId: acting.id })
  const chosen = async (changer: string) => (await wholeHistory(ctx, query({ filter: { changer } }))).chosen
  expect(await chosen(acting.id)).toEqual({ id: acting.id, name: 'Гладких Инна' })
  expect(await chosen(idle.id)).toEqual({ id: idle.id, name: idle.id })
  expect(await chosen('platform')).toBeNull()
})

describe('a page', () => {
  test('goes through all, each once, the newest first, forward and back', async () => {
    const changerId = first(await db().select().from(users).limit(1)).id
    const ip = '198.51.100.78'
    for (let n = 0; n < 24; n++) {
      const by = { ...ctx, ip, requestId: `whole ${n}`, now: () => new Date(Date.UTC(2026, 9, 1, 0, 0, n % 7)) }
      const values = { name: `${n}`, url: 'https://a.example' }
      const changed = { name: `${n + 1}`, url: 'https://b.example' }
      await db().transaction((tx) => audit(tx, by, applicationEntity, randomUUID(), values, changed, { changerId }))
    }
    const filter = { ip, dateFrom: '2026-10-01', dateTo: '2026-10-01' }
    const walk = async (read: (meta: object) => Promise<{ ids: string[]; meta: { after: string | null } }>) => {
      const pages: string[][] = []
      let meta: object = { perPage: '10' }
      for (;;) {
        const page = await read(meta)
        pages.push(page.ids)
        if (!page.meta.after) return pages
        meta = { perPage: '10', after: page.meta.after }
      }
    }
    const byActs = await walk(async (meta) => {
      const page = await wholeHistory(ctx, query({ filter, meta }))
      return { ids: page.acts.map(({ id }) => id), meta: page.meta }
    })
    const byRows = await walk(async (meta) => {
      const { data, meta: next } = await listHistory(ctx, { query: query({ filter, meta }) })
      expect(data.map(({ date }) => date)).toEqual(
        data
          .map(({ date }) => date)
          .toSorted()
          .toReversed(),
      )
      return { ids: data.map(({ id }) => id), meta: next }
    })
    expect(byActs.map(({ length }) => length)).toEqual([10, 10, 4])
    expect(byRows.map(({ length }) => length)).toEqual([10, 10, 10, 10, 8])
    expect(new Set(byActs.flat()).size).toBe(24)
    expect(new Set(byRows.flat()).size).toBe(48)
    const [oneAct] = await actsOf(ctx, { filter: { ...filter, param: 'url' } })
    expect(oneAct?.changes.map(({ field }) => field)).toEqual(['name', 'url'])
    expect(await rowsOf(ctx, { filter: { ...filter, param: 'url' } })).toHaveLength(24)
    expect(await rowsOf(ctx, { filter: { ...filter, dateFrom: '2026-10-02', dateTo: '2026-10-02' } })).toEqual([])
  })

  test('refuses a cursor of another filter, of another person and of the other list', async () => {
    for (let n = 0; n < 12; n++) await planted('applications')
    const { meta } = await listHistory(ctx, { query: query({ meta: { perPage: '10' } }) })
    const after = { perPage: '10', after: meta.after }
    await expect(listHistory(ctx, { query: query({ meta: after }) })).resolves.toBeDefined()
    const refused = { status: 400, data: { errorList: [{ code: 'errorCursor' }] } }
    const other = { ...ctx, user: { ...ctx.user, id: randomUUID() } } as Ctx
    await expect(listHistory(other, { query: query({ meta: after }) })).rejects.toMatchObject(refused)
    await expect(wholeHistory(ctx, query({ meta: after }))).rejects.toMatchObject(refused)
    await expect(listHistory(ctx, { query: query({ meta: after, filter: { type: 'delete' } }) })).rejects.toMatchObject(
      refused,
    )
  })

  test('an act that changed no field is one row, and the platform has no name', async () => {
    const id = randomUUID()
    await db().transaction((tx) => auditEvent(tx, ctx, applicationEntity, id, 'update', null, { changerId: null }))
    const filter = { search: id, changer: 'platform' }
    expect(await rowsOf(ctx, { filter })).toMatchObject([{ field: null, previous: null, current: null, changer: null }])
    expect(await actsOf(ctx, { filter })).toMatchObject([{ changes: [], who: { kind: 'platform' } }])
  })

  test.each([
    ['without filters', {}, 'history_date'],
    ['of one kind', { entity: 'roles' }, 'history_entity'],
    ['from an address', { ip: '198.51.100.79' }, 'history_ip'],
    ['of one person', { changer: randomUUID() }, 'history_changer'],
    ['of the platform', { changer: 'platform' }, 'history_date'],
  ])('%s is read in the order of an index, by both statements', async (_, filter, index) => {
    const by = await reader('roles.read', 'applications.read')
    for (const read of [rowsOf, actsOf]) {
      const [statement] = (await statementsOf(() => read(by, { filter }))).filter(({ text }) => /order by/.test(text))
      const plan = await db().transaction(async (tx) => {
        // few rows would be sorted
        await tx.execute(sql`set local enable_sort = off`)
        await tx.execute(sql`set local enable_bitmapscan = off`)
        const given = statement?.values ?? []
        const parts = (statement?.text ?? '').split(/\$(\d+)/)
        const explained = sql.join(
          parts.map((part, at) => (at % 2 ? sql`${sql.param(given[Number(part) - 1])}` : sql.raw(part))),
        )
        const { rows } = await tx.execute<{ 'QUERY PLAN': string }>(sql`explain ${explained}`)
        return rows.map((line) => line['QUERY PLAN'])
      })
      // the scan of the page itself; the ones below it look up the parts of an act
      expect(
        plan.find((line) => /Scan.* on history(?: |$)/.test(line)),
        plan.join('\n'),
      ).toContain(`Backward using ${index}`)
      expect(plan.slice(0, 4).join(' ')).not.toContain('Sort Key')
    }
  })
})

/** Returns the statements that a piece of work sends. */
async function statementsOf(work: () => Promise<unknown>) {
  const samples: { text: string; values: unknown[] }[] = []
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown }
  const { query: send } = prototype
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const [config, values] = args as [string | { text: string; values?: unknown[] }, unknown[] | undefined]
    const text = typeof config === 'string' ? config : config.text
    samples.push({
      text,
      values: (Array.isArray(values) ? values : typeof config === 'string' ? [] : config.values) ?? [],
    })
    return send.apply(this, args)
  }
  try {
    await work()
  } finally {
    prototype.query = send
  }
  return samples.filter(({ text }) => text.includes('from "history"'))
}
