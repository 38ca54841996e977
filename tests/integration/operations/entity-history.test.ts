import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applications, roles, userRoles } from '@/db/schema'
import { roleThatGives } from '@/lib/access/viewer-role/service'
import { userEntity } from '@/lib/accounts/users/entity'
import { applicationEntity } from '@/lib/applications/applications/entity'
import { audit, auditEvent } from '@/lib/base/audit/audit'
import { defineEntity, number, secret, text, yesNo } from '@/lib/base/audit/entity'
import type { Ctx } from '@/lib/base/context/ctx'
import { parseOrThrow } from '@/lib/base/http/read'
import { contractorEntity } from '@/lib/companies/contractors/entity'
import { networkAliasEntity } from '@/lib/network/network-aliases/entity'
import { HistoryQuery, searchChangers } from '@/lib/operations/history/contract'
import { entityHistory, ownHistory } from '@/lib/operations/history/service'
import { signedInWith } from '../../factories/access'
import type { Browser } from '../../factories/browser'
import { createContext } from '../../factories/context'
import { defineField, removeFields } from '../../factories/fields'
import { first } from '../../factories/platform'
import { handlerOf } from '../../factories/routes'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const searchRoute = handlerOf(searchChangers)

useTestDatabase()

const query = (search: Record<string, unknown> = {}) => parseOrThrow(HistoryQuery, search)
const reader = (...methods: string[]) => createContext({ methods })

let ctx: Ctx
beforeAll(async () => {
  ctx = await reader('history.read', 'applications.read', 'network-aliases.read')
})

const rename = async (by: Ctx, id: string, from: string, to: string) =>
  db().transaction((tx) => audit(tx, by, applicationEntity, id, { name: from }, { name: to }))

const pageOf = (id: string, meta: Record<string, unknown> = {}, by = ctx) =>
  entityHistory(by, { entity: 'applications', id, query: query({ meta }) })

describe('who may read the history of an object', () => {
  test.each([
    ['nobody signed in', undefined, 401],
    ['an auditor without history.read', ['applications.read'], 403],
    ['support of another area', ['history.read', 'users.read', 'users.write'], 403],
    ['who may write the area alone', ['applications.write'], 403],
  ])('%s is refused', async (_, methods, status) => {
    const reader = await createContext(methods ? { methods } : {})
    await expect(pageOf(randomUUID(), {}, reader)).rejects.toMatchObject({ status })
  })

  test('an entity that belongs to another area by its declaration needs that area', async () => {
    const input = { entity: 'oidcClients', id: randomUUID(), query: query() } as const
    await expect(entityHistory(await reader('history.read'), input)).rejects.toMatchObject({ status: 403 })
    await expect(entityHistory(ctx, input)).resolves.toMatchObject({ acts: [] })
  })
})

describe('a page', () => {
  test('shows each act once, the newest first, with all its fields, forward and back', async () => {
    const id = randomUUID()
    const stranger = randomUUID()
    const person = await createUser({ fio: 'Орлова Вера' })
    const atSecond = (n: number): Ctx => ({
      ...ctx,
      requestId: `act ${n}`,
      now: () => new Date(Date.UTC(2026, 10, 1, 0, 0, n)),
    })
    for (let n = 0; n < 25; n++) {
      await rename(atSecond(n), id, `${n}`, `${n + 1}`)
      await rename(atSecond(n), stranger, 'a', 'b')
      await db().transaction((tx) =>
        audit(
          tx,
          atSecond(n),
          applicationEntity,
          id,
          { url: 'https://a.example', menuVisible: false, code: `${n}` },
          { url: 'https://b.example', menuVisible: true, code: `${n + 1}` },
          { changerId: person.id },
        ),
      )
    }
    const seen: string[] = []
    let meta: Record<string, unknown> = { perPage: '20' }
    const pages: Awaited<ReturnType<typeof pageOf>>[] = []
    for (;;) {
      const page = await pageOf(id, meta)
      pages.push(page)
      seen.push(...page.acts.map((act) => act.id))
      if (!page.meta.after) break
      meta = { perPage: '20', after: page.meta.after }
    }
    expect(pages.map(({ acts }) => acts.length)).toEqual([20, 20, 10])
    expect(new Set(seen).size).toBe(50)
    expect(seen.map(Number)).toEqual(seen.map(Number).toSorted((a, b) => b - a))
    const [newest, second] = pages[0]?.acts ?? []
    expect(newest).toMatchObject({ type: 'update', who: { kind: 'person', name: 'Орлова Вера' }, ip: ctx.ip })
    expect(newest?.changes.map(({ field }) => field)).toEqual(['code', 'url', 'menuVisible'])
    expect(second?.changes).toEqual([
      {
        field: 'name',
        label: 'history.applications.name',
        diff: { kind: 'value', previous: { as: 'text', value: '24' }, current: { as: 'text', value: '25' } },
      },
    ])
    const filtered = async (filter: Record<string, string>) =>
      (await entityHistory(ctx, { entity: 'applications', id, query: query({ filter, meta: { perPage: '100' } }) }))
        .acts
    const byField = await filtered({ field: 'url' })
    expect(byField).toHaveLength(25)
    // the whole act is shown, with its other fields
    expect(byField[0]?.changes).toHaveLength(3)
    expect(await filtered({ field: 'description' })).toEqual([])
    expect(await filtered({ type: 'delete' })).toEqual([])
    expect(await filtered({ dateFrom: '2026-11-02' })).toEqual([])
    expect(await filtered({ dateFrom: '2026-11-01', dateTo: '2026-11-01' })).toHaveLength(50)
    const pageBack = await pageOf(id, { perPage: '20', before: pages[1]?.meta.before })
    expect(pageBack.acts).toEqual(pages[0]?.acts)
  })

  test('refuses the cursor of another object, of another entity and of another person', async () => {
    const id = randomUUID()
    for (let n = 0; n < 12; n++) await rename({ ...ctx, requestId: `${n}` }, id, `${n}`, `${n + 1}`)
    const { meta } = await pageOf(id, { perPage: '10' })
    const after = { perPage: '10', after: meta.after }
    await expect(pageOf(id, after)).resolves.toMatchObject({ acts: { length: 2 } })
    const refused = { status: 400, data: { errorList: [{ code: 'errorCursor' }] } }
    await expect(pageOf(randomUUID(), after)).rejects.toMatchObject(refused)
    await expect(
      entityHistory(ctx, { entity: 'network-aliases', id, query: query({ meta: after }) }),
    ).rejects.toMatchObject(refused)
    const other = { ...ctx, user: { ...ctx.user, id: randomUUID() } } as Ctx
    await expect(pageOf(id, after, other)).rejects.toMatchObject(refused)
  })

  test('reads the rows of its own acts alone, however many the object has', async () => {
    const id = randomUUID()
    await db().execute(sql`insert into history (type, entity, entity_id, field, previous, current, date, request_id)
      select 'update', 'applications', ${id}, 'name', to_jsonb(n), to_jsonb(n + 1), now() - make_interval(secs => n), 'many ' || n
      from generate_series(1, 20000) n`)
    // a plan that looks at the others compares each with each, and PostgreSQL cancels the statement
    const { acts, meta } = await pageOf(id, { perPage: '20' })
    expect(acts).toHaveLength(20)
    expect((await pageOf(id, { perPage: '20', after: meta.after })).acts).toHaveLength(20)
  })
})

describe('who acted', () => {
  /** Three people and an application that acted on an object, with the platform; the first one once, long ago. */
  async function acted() {
    const id = randomUUID()
    const application = first(await db().select().from(applications).limit(1))
    const [anna, boris, vera] = [
      await createUser({ fio: 'Орлова Анна' }),
      await createUser({ fio: 'Борисов Борис' }),
      await createUser({ lastName: '', firstName: '', fio: '' }),
    ]
    const changers = [anna.id, boris.id, vera.id, application.id, null, boris.id]
    for (const [n, changerId] of changers.entries())
      await db().transaction((tx) =>
        auditEvent(tx, { ...ctx, requestId: `${n}` }, applicationEntity, id, 'update', null, { changerId }),
      )
    await db().transaction((tx) => auditEvent(tx, ctx, applicationEntity, randomUUID(), 'update', null, {}))
    return { id, application, anna, boris, vera }
  }

  test('filters the acts, by cursor, and the chosen one is named', async () => {
    const { id, application, anna, boris } = await acted()
    const historyBy = async (changer: string, meta = {}) =>
      entityHistory(ctx, { entity: 'applications', id, query: query({ filter: { changer }, meta }) })
    const [ofBoris, ofAnna, ofPlatform] = [
      await historyBy(boris.id),
      await historyBy(anna.id),
      await historyBy('platform'),
    ]
    expect(ofBoris.acts.map(({ who }) => who)).toEqual(Array(2).fill({ kind: 'person', name: 'Борисов Борис' }))
    expect(ofBoris.changers).toEqual([{ id: boris.id, name: 'Борисов Борис' }])
    expect(ofAnna.acts).toHaveLength(1)
    expect(ofPlatform).toMatchObject({ acts: [{ who: { kind: 'platform' } }], changers: [] })
    expect((await historyBy(application.id)).acts[0]?.who).toEqual({ kind: 'application', name: application.name })
    expect(await historyBy(randomUUID())).toMatchObject({ acts: [], changers: [] })
    expect(() => query({ filter: { changer: 'anna' } })).toThrow()

    for (let n = 0; n < 12; n++)
      await db().transaction((tx) =>
        auditEvent(tx, { ...ctx, requestId: `more ${n}` }, applicationEntity, id, 'update', null, {
          changerId: anna.id,
        }),
      )
    const page = await historyBy(anna.id, { perPage: '10' })
    const rest = await historyBy(anna.id, { perPage: '10', after: page.meta.after })
    expect({ firstPage: page.acts.length, secondPage: rest.acts.length, after: rest.meta.after }).toEqual({
      firstPage: 10,
      secondPage: 3,
      after: null,
    })
    // a cursor of another filter is refused
    await expect(historyBy(boris.id, { perPage: '10', after: page.meta.after })).rejects.toMatchObject({ status: 400 })
  })

  test('are found by name, each once, by those who may read the object; a login is found by readers of users', async () => {
    const { id, application, anna, vera } = await acted()
    const searchHistory = async (browser: Browser, search: Record<string, string> = {}) => {
      const { status, body } = await browser.send(searchRoute, 'GET', {
        query: { entity: 'applications', id, ...search },
      })
      return status === 200 ? (body.changers as { id: string; name: string }[]).map(({ name }) => name) : status
    }
    const { browser } = await signedInWith(['history.read', 'applications.read'])
    expect(await searchHistory(browser)).toHaveLength(4)
    expect(await searchHistory(browser)).toEqual(
      expect.arrayContaining(['Орлова Анна', 'Борисов Борис', application.name, vera.id]),
    )
    expect(await searchHistory(browser, { searchValue: 'орлов' })).toEqual(['Орлова Анна'])
    expect(await searchHistory(browser, { searchValue: '%' })).toEqual([])
    // a login that isn't shown isn't found either
    expect(await searchHistory(browser, { searchValue: vera.login })).toEqual([])
    expect(await searchHistory(browser, { searchValue: anna.login })).toEqual([])
    const { browser: knowing } = await signedInWith(['history.read', 'applications.read', 'users.read'])
    expect(await searchHistory(knowing, { searchValue: vera.login })).toEqual([vera.login])
    const { browser: elsewhere } = await signedInWith(['history.read', 'network-aliases.read'])
    expect(await searchHistory(elsewhere)).toEqual([])
    const { browser: reader } = await signedInWith(['applications.read'])
    expect(await searchHistory(reader)).toBe(403)
    const of = { entity: 'applications', id: randomUUID() }
    expect((await browser.send(searchRoute, 'GET', { query: of })).body).toEqual({ changers: [] })
    expect((await browser.send(searchRoute, 'GET', { query: { ...of, entity: 'x' } })).status).toBe(400)
  })

  test('are read from an index, however much others did to the object', async () => {
    const id = randomUUID()
    const [many, once] = [randomUUID(), randomUUID()]
    await db().execute(sql`insert into history (type, entity, entity_id, changer_id, date, request_id)
      select 'update', 'applications', ${id}, case when n = 1 then ${once}::uuid else ${many}::uuid end,
        now() - make_interval(secs => 20000 - n), 'many ' || n from generate_series(1, 20000) n`)
    await db().execute(sql`analyze history`)
    const ofApplication = sql`entity = 'applications' and entity_id = ${id}`
    const planOf = async (changer: string) => {
      const { rows } = await db().execute<{ 'QUERY PLAN': string }>(sql`explain
        select id from history where ${ofApplication} and changer_id = ${changer}::uuid order by id desc limit 21`)
      return rows.map((line) => line['QUERY PLAN']).join('\n')
    }
    expect(await planOf(once)).toContain('history_object_changer')
    const page = await entityHistory(ctx, { entity: 'applications', id, query: query({ filter: { changer: once } }) })
    expect(page.acts).toHaveLength(1)
  })
})

describe('what a person may see', () => {
  test('a secret stays masked, also one that was stored before it was declared', async () => {
    const id = randomUUID()
    const before = defineEntity('oidcClients', { name: text('x'), secret: text('x'), enabled: yesNo('x') })
    const values = { name: 'a', secret: 'plain one', enabled: true }
    await db().transaction((tx) => audit(tx, ctx, before, id, values, { ...values, secret: 'plain two' }))
    const { acts } = await entityHistory(ctx, { entity: 'oidcClients', id, query: query() })
    expect(acts[0]?.changes).toMatchObject([{ field: 'secret', diff: { kind: 'secret', act: 'changed' } }])
    expect(JSON.stringify(acts)).not.toContain('plain')
  })

  test('a login is no name for those who may not read users; a person who is gone is an id', async () => {
    const id = randomUUID()
    const unknownUser = randomUUID()
    const person = await createUser({ lastName: '', firstName: '', fio: '' })
    for (const changerId of [person.id, unknownUser, null])
      await db().transaction((tx) => auditEvent(tx, ctx, applicationEntity, id, 'update', null, { changerId }))
    const whoIn = async (by: Ctx) => (await pageOf(id, {}, by)).acts.map(({ who }) => who)
    expect(await whoIn(ctx)).toEqual([
      { kind: 'platform' },
      { kind: 'unknown', name: unknownUser },
      { kind: 'unknown', name: person.id },
    ])
    const knowing = await reader('history.read', 'applications.read', 'users.read')
    expect((await whoIn(knowing))[2]).toEqual({ kind: 'person', name: person.login })
  })

  test('values of a defined field are for those whom its definition shows it', async () => {
    const visible = { adminVisible: true, profileVisible: true }
    const code = {
      contractor: await defineField({ type: 'contractors', adminVisible: false, adminRequired: false }),
      admin: await defineField({ ...visible, profileVisible: false }),
      profile: await defineField({ ...visible, adminVisible: false }),
      both: await defineField(visible),
    }
    const [firm, person] = [randomUUID(), await createUser()]
    const written = (...codes: string[]) => Object.fromEntries(codes.map((one) => [`field:${one}`, 'written down']))
    await db().transaction((tx) =>
      audit(tx, ctx, contractorEntity, firm, null, { name: 'x', ...written(code.contractor) } as never),
    )
    const ofPerson = written(code.admin, code.profile, code.both)
    await db().transaction((tx) => audit(tx, ctx, userEntity, person.id, null, ofPerson as never))
    const readerCtx = await reader('history.read', 'contractors.read', 'users.read')
    const fieldsOf = ({ acts }: Awaited<ReturnType<typeof entityHistory>>) =>
      acts.flatMap(({ changes }) => changes.map(({ field }) => field.replace('field:', ''))).sort()
    expect(fieldsOf(await entityHistory(readerCtx, { entity: 'contractors', id: firm, query: query() }))).toEqual([
      'name',
    ])
    expect(fieldsOf(await entityHistory(readerCtx, { entity: 'users', id: person.id, query: query() }))).toEqual(
      [code.admin, code.both].sort(),
    )
    const ownContext = { ...readerCtx, user: readerCtx.user && { ...readerCtx.user, id: person.id } }
    expect(fieldsOf(await ownHistory(ownContext, query()))).toEqual([code.profile, code.both].sort())
    await removeFields()
  })

  test('what nothing declares any more still shows, under its stored name', async () => {
    const id = randomUUID()
    const old = defineEntity('network-aliases', { weight: number('x'), key: secret('x') })
    await db().transaction((tx) => audit(tx, ctx, old, id, { weight: 1, key: 'a' }, { weight: 2, key: 'b' }))
    const { acts } = await entityHistory(ctx, { entity: 'network-aliases', id, query: query() })
    expect(acts[0]?.changes).toEqual([
      {
        field: 'weight',
        label: null,
        diff: { kind: 'value', previous: { as: 'number', value: 1 }, current: { as: 'number', value: 2 } },
      },
      { field: 'key', label: null, diff: { kind: 'secret', act: 'changed' } },
    ])
  })

  test('what a value refers to has its name, in lists and in their members; what is gone keeps its id', async () => {
    const id = randomUUID()
    const unknownContractor = randomUUID()
    const [role, another] = await db().select({ id: roles.id, name: roles.name }).from(roles).limit(2)
    const rolesOf = (one: string | undefined, organizationId: string) => ({
      roles: [one ?? ''],
      contractorRoles: [{ roleId: one ?? '', organizationId, contractorId: unknownContractor }],
    })
    await db().transaction((tx) =>
      audit(tx, ctx, userEntity, id, rolesOf(role?.id, unknownContractor), rolesOf(another?.id, 'no id')),
    )
    const readerCtx = await reader('history.read', 'users.read')
    const { acts, names } = await entityHistory(readerCtx, { entity: 'users', id, query: query() })
    expect(acts[0]?.changes.map(({ field }) => field)).toEqual(['roles', 'contractorRoles'])
    expect(names).toEqual({ [role?.id ?? '']: role?.name, [another?.id ?? '']: another?.name })
  })

  test('a text of a megabyte is cut, and says how long it is', async () => {
    const id = randomUUID()
    const comment = 'ё'.repeat(1_000_000)
    await db().transaction((tx) => audit(tx, ctx, networkAliasEntity, id, { comment: '' }, { comment }))
    const { acts } = await entityHistory(ctx, { entity: 'network-aliases', id, query: query() })
    const [change] = acts[0]?.changes ?? []
    expect(change?.diff).toMatchObject({ kind: 'value', current: { as: 'cut', length: 1_000_000 } })
    expect(JSON.stringify(acts).length).toBeLessThan(5_000)
  })
})

test('the role by which somebody looks is named if it is a single one that is enabled', async () => {
  const all = await db().select({ id: roles.id, code: roles.code }).from(roles)
  const idOf = (code: string) => all.find((role) => role.code === code)?.id ?? ''
  const person = await createUser()
  const give = (code: string) =>
    db()
      .insert(userRoles)
      .values({ userId: person.id, roleId: idOf(code) })
  const named = (locale = 'ru') => roleThatGives(person.id, 'users.read', locale)
  expect(await named()).toBeNull()
  await give('auditor')
  expect([await named(), await named('en')]).toEqual(['Аудитор', 'Auditor'])
  expect(await roleThatGives(person.id, 'users.write', 'ru')).toBeNull()
  await give('support')
  expect(await named()).toBeNull()
  const auditor = eq(roles.id, idOf('auditor'))
  await db().update(roles).set({ enabled: false }).where(auditor)
  expect(await named('en')).toBe('Support')
  await db().update(roles).set({ enabled: true }).where(auditor)
})
