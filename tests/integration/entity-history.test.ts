import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import type { Ctx } from '@/lib/kernel/ctx'
import { parseOrThrow } from '@/lib/kernel/http/read'
import { defineEntity, number, secret, text, yesNo } from '@/lib/kernel/record/entity'
import { record, recordAct } from '@/lib/kernel/record/record'
import { HistoryQuery } from '@/lib/operations/history/contract'
import { entityHistory } from '@/lib/operations/history/service'
import { applicationEntity } from '@/lib/platform/applications/entity'
import { networkAliasEntity } from '@/lib/platform/network-aliases/entity'
import { createContext } from '../factories/context'
import { createUser } from '../factories/users'
import { useTestDatabase } from '../setup/database'

useTestDatabase()

const query = (search: Record<string, unknown> = {}) => parseOrThrow(HistoryQuery, search)
const reader = (...methods: string[]) => createContext({ methods })

let ctx: Ctx
beforeAll(async () => {
  ctx = await reader('history.read', 'applications.read', 'network-aliases.read')
})

const rename = async (by: Ctx, id: string, from: string, to: string) =>
  db().transaction((tx) => record(tx, by, applicationEntity, id, { name: from }, { name: to }))

const pageOf = (id: string, meta: Record<string, unknown> = {}, by = ctx) =>
  entityHistory(by, { entity: 'applications', id, query: query({ meta }) })

describe('who may read the history of an object', () => {
  test.each([
    ['nobody signed in', undefined, 401],
    ['an auditor without history.read', ['applications.read'], 403],
    ['support of another area', ['history.read', 'users.read', 'users.write'], 403],
    ['who may write the area alone', ['applications.write'], 403],
  ])('%s is refused', async (_, methods, status) => {
    const by = await createContext(methods ? { methods } : {})
    await expect(pageOf(randomUUID(), {}, by)).rejects.toMatchObject({ status })
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
    const by = (n: number): Ctx => ({
      ...ctx,
      requestId: `act ${n}`,
      now: () => new Date(Date.UTC(2026, 10, 1, 0, 0, n)),
    })
    for (let n = 0; n < 25; n++) {
      await rename(by(n), id, `${n}`, `${n + 1}`)
      await rename(by(n), stranger, 'a', 'b')
      await db().transaction((tx) =>
        record(
          tx,
          by(n),
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
    const back = await pageOf(id, { perPage: '20', before: pages[1]?.meta.before })
    expect(back.acts).toEqual(pages[0]?.acts)
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

describe('what a person may see', () => {
  test('a secret stays masked, also one that was stored before it was declared', async () => {
    const id = randomUUID()
    const before = defineEntity('oidcClients', { name: text('x'), secret: text('x'), enabled: yesNo('x') })
    const values = { name: 'a', secret: 'plain one', enabled: true }
    await db().transaction((tx) => record(tx, ctx, before, id, values, { ...values, secret: 'plain two' }))
    const { acts } = await entityHistory(ctx, { entity: 'oidcClients', id, query: query() })
    expect(acts[0]?.changes).toMatchObject([{ field: 'secret', diff: { kind: 'secret', act: 'changed' } }])
    expect(JSON.stringify(acts)).not.toContain('plain')
  })

  test('a login is no name for those who may not read users; a person who is gone is an id', async () => {
    const id = randomUUID()
    const gone = randomUUID()
    const person = await createUser({ lastName: '', firstName: '', fio: '' })
    for (const changerId of [person.id, gone, null])
      await db().transaction((tx) => recordAct(tx, ctx, applicationEntity, id, 'update', null, { changerId }))
    const whoIn = async (by: Ctx) => (await pageOf(id, {}, by)).acts.map(({ who }) => who)
    expect(await whoIn(ctx)).toEqual([
      { kind: 'platform' },
      { kind: 'unknown', name: gone },
      { kind: 'unknown', name: person.id },
    ])
    const knowing = await reader('history.read', 'applications.read', 'users.read')
    expect((await whoIn(knowing))[2]).toEqual({ kind: 'person', name: person.login })
  })

  test('what nothing declares any more still shows, under its stored name', async () => {
    const id = randomUUID()
    const old = defineEntity('network-aliases', { weight: number('x'), key: secret('x') })
    await db().transaction((tx) => record(tx, ctx, old, id, { weight: 1, key: 'a' }, { weight: 2, key: 'b' }))
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

  test('a text of a megabyte is cut, and says how long it is', async () => {
    const id = randomUUID()
    const comment = 'ё'.repeat(1_000_000)
    await db().transaction((tx) => record(tx, ctx, networkAliasEntity, id, { comment: '' }, { comment }))
    const { acts } = await entityHistory(ctx, { entity: 'network-aliases', id, query: query() })
    const [change] = acts[0]?.changes ?? []
    expect(change?.diff).toMatchObject({ kind: 'value', current: { as: 'cut', length: 1_000_000 } })
    expect(JSON.stringify(acts).length).toBeLessThan(5_000)
  })
})
