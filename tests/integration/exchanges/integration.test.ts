import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { contractors, dynamicFields, history, integrationSyncs, users } from '@/db/schema'
import { env } from '@/lib/base/runtime/env'
import { listExchanges, readExchangeResponse } from '@/lib/exchanges/exchange-journal/contract'
import { signedInWith } from '../../factories/access'
import { defineActionType, defineField } from '../../factories/fields'
import { connect, exchanged, integrator, journalOf } from '../../factories/integration'
import { contractorItem } from '../../factories/integration-items'
import { startOtherSystem } from '../../factories/other-system'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
beforeAll(() => db().update(dynamicFields).set({ adminRequired: false, integrationRequired: false }))

const byCode = async (code: unknown) =>
  (
    await db()
      .select()
      .from(contractors)
      .where(eq(contractors.externalCode, String(code)))
  )[0]

describe('contractors of another system', () => {
  test('are created, changed and left as they are, page by page; a wrong row waits for nobody', async () => {
    const [caller, source] = [await integrator(), await startOtherSystem()]
    const field = await defineField({ type: 'contractors', maxLength: 5 })
    const [good, wrongInn, numberInn, noName, wrongValue, double, noCode] = [
      contractorItem({ values: { [field]: 'Тула' }, okpo: '00032537', unknown: 'is left out' }),
      contractorItem({ inn: '12' }),
      contractorItem({ inn: 7701234567 }),
      contractorItem({ name: '' }),
      contractorItem({ values: { [field]: 'слишком длинно' } }),
      contractorItem(),
      { name: 'Без кода' },
    ]
    const many = Array.from({ length: 17 }, () => contractorItem())
    source.items = [good, wrongInn, numberInn, noName, wrongValue, double, double, noCode, 'no row', ...many]
    const id = await connect(caller, 'contractors.import', source.url)
    const { run, faults, id: runId } = await exchanged(caller, id)
    expect(run).toMatchObject({ state: 'done', total: 26, done: 19, failed: 7 })
    expect(faults.map(({ code, params }) => [code, params.column])).toEqual([
      ['errorInn', 'inn'],
      ['errorFormat', 'inn'],
      ['errorEmpty', 'name'],
      ['errorTooLong', `values.${field}`],
      ['integrationDouble', undefined],
      ['errorEmpty', 'externalCode'],
      ['errorFormat', undefined],
    ])
    expect(await byCode(good?.externalCode)).toMatchObject({
      inn: good?.inn,
      enabled: true,
      values: { [field]: 'Тула' },
    })
    expect(await byCode(wrongValue?.externalCode)).toBeUndefined()
    expect(source.asked.map(({ query }) => [query.get('limit'), query.get('after')])).toEqual([
      ['10', null],
      ['10', '10'],
      ['10', '20'],
    ])
    expect((await journalOf(runId)).map(({ status, httpStatus }) => [status, httpStatus])).toEqual(
      Array.from({ length: 3 }, () => ['success', 200]),
    )

    // what a row leaves out stays; what it empties goes
    source.items = [{ externalCode: good?.externalCode, name: 'Новое имя', okpo: null, enabled: false }]
    const before = await db().$count(history)
    expect((await exchanged(caller, id)).run).toMatchObject({ state: 'done', done: 1, failed: 0 })
    expect(await byCode(good?.externalCode)).toMatchObject({
      name: 'Новое имя',
      inn: good?.inn,
      okpo: null,
      enabled: false,
      values: { [field]: 'Тула' },
    })
    expect(await db().$count(history)).toBeGreaterThan(before)
    const unchanged = await db().$count(history)
    await exchanged(caller, id)
    expect(await db().$count(history)).toBe(unchanged)
  })

  test('take over one with the same inn and kpp that has no external code, and none that has one', async () => {
    const [caller, source] = [await integrator(), await startOtherSystem()]
    const [free, taken] = [contractorItem(), contractorItem()]
    const rows = [
      { name: 'Без кода', inn: String(free.inn), kpp: String(free.kpp) },
      { name: 'С кодом', inn: String(taken.inn), kpp: String(taken.kpp), externalCode: randomUUID() },
    ]
    const made = await db().insert(contractors).values(rows).returning()
    source.items = [free, taken]
    const { run, faults } = await exchanged(caller, await connect(caller, 'contractors.import', source.url))
    expect(run).toMatchObject({ done: 1, failed: 1 })
    expect(faults).toMatchObject([{ code: 'errorUnique', params: { column: 'inn' } }])
    expect(await byCode(free.externalCode)).toMatchObject({ id: made[0]?.id, name: free.name })
  })

  test('that are known are switched off and written whatever is wrong with one member', async () => {
    const [caller, source] = [await integrator(), await startOtherSystem()]
    const field = await defineField({ type: 'contractors', maxLength: 5 })
    const all = Array.from({ length: 5 }, () => contractorItem())
    source.items = all
    const id = await connect(caller, 'contractors.import', source.url)
    await exchanged(caller, id)
    const [badInn, badValue, taken, badPlace, unreadable] = all.map(({ externalCode }) => ({
      ...{ externalCode, enabled: false, name: 'Новое имя' },
    }))
    source.items = [
      { ...badInn, inn: '12' },
      { ...badValue, values: { [field]: 'слишком длинно' } },
      { ...taken, inn: all[0]?.inn, kpp: all[0]?.kpp },
      { ...badPlace, organizations: ['nowhere'] },
      { ...unreadable, name: { no: 'text' } },
    ]
    const { run, faults } = await exchanged(caller, id)
    expect(run).toMatchObject({ state: 'done', done: 0, failed: 5 })
    expect(faults.map(({ code, params }) => [code, params.column])).toEqual([
      ['errorInn', 'inn'],
      ['errorTooLong', `values.${field}`],
      ['errorUnique', 'inn'],
      ['errorOrganizationUnknown', 'organizations.0'],
      ['errorFormat', 'name'],
    ])
    for (const [at, { externalCode, inn, name }] of all.entries())
      expect(await byCode(externalCode)).toMatchObject({ enabled: false, inn, name: at < 4 ? 'Новое имя' : name })
  })

  test('need a kpp for an inn of ten digits, but not where one is without it already; both numbers are written or none', async () => {
    const [caller, source] = [await integrator(), await startOtherSystem()]
    const [old, whole, ...made] = [contractorItem(), contractorItem(), contractorItem({ kpp: null }), contractorItem()]
    source.items = [whole]
    const id = await connect(caller, 'contractors.import', source.url)
    await exchanged(caller, id)
    await db()
      .insert(contractors)
      .values({ name: 'Прежняя', inn: String(old.inn), externalCode: String(old.externalCode) })
    const [next, oldRow] = [contractorItem(), { ...old, kpp: undefined, name: 'Прежняя 2' }]
    source.items = [oldRow, { ...whole, name: 'Иначе', inn: next.inn, kpp: '' }, ...made]
    const { run, faults } = await exchanged(caller, id)
    expect(run).toMatchObject({ state: 'done', done: 2, failed: 2 })
    const [needed, inn] = [{ code: 'errorEmpty', params: { column: 'kpp' } }, whole.inn]
    expect(faults).toMatchObject([needed, needed])
    expect(await byCode(old.externalCode)).toMatchObject({ name: 'Прежняя 2', inn: old.inn, kpp: null })
    expect(await byCode(whole.externalCode)).toMatchObject({ name: 'Иначе', inn, kpp: whole.kpp })
    expect(await byCode(made[0]?.externalCode)).toBeUndefined()
    source.items = [{ ...whole, inn: next.inn, kpp: 'короткий' }]
    expect((await exchanged(caller, id)).faults).toMatchObject([{ code: 'errorKpp', params: { column: 'kpp' } }])
    expect(await byCode(whole.externalCode)).toMatchObject({ inn, kpp: whole.kpp })
  })

  test('with characters that PostgreSQL keeps nowhere are faults of their own', async () => {
    const [caller, source] = [await integrator(), await startOtherSystem()]
    source.items = [
      contractorItem({ name: 'a\u0000b' }),
      contractorItem({ name: 'a\ud800b' }),
      contractorItem({ name: 'x'.repeat(70_000) }),
      contractorItem(),
    ]
    const { run, faults } = await exchanged(caller, await connect(caller, 'contractors.import', source.url))
    expect(run).toMatchObject({ state: 'done', done: 1, failed: 3 })
    expect(faults.map(({ code }) => code)).toEqual(['errorChars', 'errorChars', 'errorTooLong'])
  })
})

describe('personnel actions', () => {
  test('are written to their person by the fields of their type', async () => {
    const [caller, source] = [await integrator(), await startOtherSystem()]
    const type = `t${randomUUID().slice(0, 8)}`
    await defineActionType(type)
    const until = await defineField({ type: 'personnel-actions', subtype: type, fieldType: 'date' })
    const order = await defineField({ type: 'personnel-actions', subtype: type, integrationRequired: true })
    const [one, third] = [await createUser(), await createUser()]
    const somebody = () => createUser({ email: `${randomUUID()}@polaris.example` })
    const [other, both] = [await somebody(), await somebody()]
    const action = (more: object) => ({ type, values: { [until]: '2026-12-01', [order]: '17' }, ...more })
    source.items = [
      action({ login: one.login.toUpperCase() }),
      action({ email: other.email, values: { [until]: 'tomorrow', [order]: '17' } }),
      action({ email: other.email, type: 'unknown' }),
      action({ login: 'nobody-at-all' }),
      action({ login: both.login, email: both.email }),
      action({ login: third.login, values: { [until]: '2026-12-01' } }),
    ]
    const { run, faults } = await exchanged(caller, await connect(caller, 'personnel-actions.import', source.url))
    expect(run).toMatchObject({ state: 'done', done: 1, failed: 5 })
    expect(faults.map(({ code, params }) => [code, params.column])).toEqual([
      ['errorDate', `values.${until}`],
      ['integrationActionType', 'type'],
      ['integrationPerson', 'login'],
      ['errorIntegrationPerson', 'login'],
      ['errorEmpty', `values.${order}`],
    ])
    const valuesOf = async (id: string) => (await db().select().from(users).where(eq(users.id, id)))[0]?.values
    expect(await valuesOf(one.id)).toEqual({ [until]: '2026-12-01', [order]: '17' })
    // what is right of a row is written
    expect(await valuesOf(other.id)).toEqual({ [order]: '17' })
    expect(await valuesOf(third.id)).toEqual({ [until]: '2026-12-01' })
  })

  test('change nobody who holds more than the person with whose rights the run works', async () => {
    const [caller, source] = [await integrator(), await startOtherSystem()]
    const type = `t${randomUUID().slice(0, 8)}`
    await defineActionType(type)
    const field = await defineField({ type: 'personnel-actions', subtype: type })
    const { user } = await signedInWith(['license.write'])
    source.items = [{ login: user.login, type, values: { [field]: 'x' } }]
    const { faults } = await exchanged(caller, await connect(caller, 'personnel-actions.import', source.url))
    expect(faults.map(({ code }) => code)).toEqual(['forbiddenUser'])
  })
})

describe('what is sent', () => {
  test('is every account, once and in pages, with faults by row', async () => {
    const [caller, receiver] = [await integrator(), await startOtherSystem()]
    const refused = await createUser()
    receiver.refuses = { [refused.id]: 'no such department' }
    receiver.needs = { header: 'x-api-key', value: 'key-of-the-receiver' }
    const access = { auth: 'header', authName: 'X-Api-Key', secret: 'key-of-the-receiver' }
    const { run, faults, id } = await exchanged(caller, await connect(caller, 'users.export', receiver.url, access))
    const all = (await db().select({ id: users.id }).from(users)).map((row) => row.id)
    const items = receiver.sent.flatMap((page) => page.items)
    expect(items.map((item) => item.id).toSorted()).toEqual(all.toSorted())
    expect(run).toMatchObject({ state: 'done', total: all.length, done: all.length - 1, failed: 1 })
    expect(faults).toMatchObject([{ code: 'integrationRefused', params: { reason: 'no such department' } }])
    expect(receiver.sent.map(({ last }) => last)).toEqual(receiver.sent.map((_, at) => at === receiver.sent.length - 1))
    expect(new Set(receiver.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(receiver.asked.length)
    const text = JSON.stringify(items)
    expect(text).not.toMatch(/password|argon2/i)
    // the secret is nowhere in what is kept
    const journal = await journalOf(id)
    expect(journal.length).toBe(receiver.asked.length)
    for (const { request } of journal) expect(request).toContain('x-api-key: ***')
    expect(JSON.stringify([journal, await db().select().from(history)])).not.toContain('key-of-the-receiver')
    const [stored] = await db().select().from(integrationSyncs).where(eq(integrationSyncs.key, 'users.export'))
    expect(stored?.secret).not.toContain('key-of-the-receiver')
  })

  test('are all roles with their methods', async () => {
    const [caller, receiver] = [await integrator(), await startOtherSystem()]
    await exchanged(caller, await connect(caller, 'roles.export', receiver.url))
    const items = receiver.sent.flatMap((page) => page.items)
    expect(items.find(({ code }) => code === 'administrator')).toMatchObject({
      methods: expect.arrayContaining([{ code: 'users.write', application: null }]),
    })
  })
})

describe('the other system', () => {
  test.each([
    ['is down', 'hang up' as const, 'integrationConnection', 3],
    ['has too much to do', 503, 'integrationAnswer', 3],
    ['lets nobody in', 401, 'integrationAccess', 1],
    [
      'redirects into this network',
      { status: 302, headers: { location: 'http://127.0.0.1:9/' }, body: '' },
      'integrationRedirect',
      1,
    ],
    ['answers no JSON', { body: '<html>' }, 'integrationFormat', 1],
    ['answers another JSON', { body: '{"rows":[]}' }, 'integrationFormat', 1],
  ])('that %s stops the run with a word, and changes nothing', async (_, instead, fault, asked) => {
    const [caller, source] = [await integrator(), await startOtherSystem()]
    source.instead = () => instead
    const before = await db().$count(contractors)
    const { run, id } = await exchanged(caller, await connect(caller, 'contractors.import', source.url))
    expect(run).toMatchObject({ state: 'stopped', fault, total: 0 })
    expect(source.asked.length).toBe(asked)
    expect(await db().$count(contractors)).toBe(before)
    const journal = await journalOf(id)
    expect(journal.length).toBe(asked)
    // what was answered is kept where it isn't what the run expects
    if (fault !== 'integrationFormat' || asked !== 1) for (const row of journal) expect(row.status).toBe('error')
  })

  test('that never ends its answer, or answers the same page again, is left', async () => {
    const [caller, source] = [await integrator(), await startOtherSystem()]
    source.instead = () => ({
      body: (async function* () {
        for (;;) yield 'x'.repeat(1024 * 1024)
      })(),
    })
    const id = await connect(caller, 'contractors.import', source.url)
    expect((await exchanged(caller, id)).run).toMatchObject({ state: 'stopped', fault: 'integrationTooLarge' })
    const same = JSON.stringify({ items: [contractorItem()], next: 'x' })
    source.instead = () => ({ body: same })
    expect((await exchanged(caller, id)).run).toMatchObject({ state: 'stopped', fault: 'integrationEndless' })
    const big = JSON.stringify({ items: [], next: null, filler: 'ё'.repeat(2_000_000) })
    source.instead = () => ({ body: big })
    const { id: runId, run } = await exchanged(caller, id)
    expect(run).toMatchObject({ state: 'done' })
    const [entry] = await journalOf(runId)
    expect(Buffer.byteLength(entry?.response ?? '')).toBeLessThanOrEqual(1024 * 1024)
  }, 60_000)

  test('that echoes our secret has it nowhere in the journal', async () => {
    const [caller, source] = [await integrator(), await startOtherSystem()]
    const secret = `s3cret-${randomUUID()}`
    source.instead = ({ headers }) => ({
      headers: { 'x-echo': String(headers.authorization) },
      body: JSON.stringify({ items: [], next: null, said: headers.authorization, password: 'other' }),
    })
    const access = { auth: 'basic', authName: 'portal', secret }
    const id = await connect(caller, 'contractors.import', source.url, access)
    const { id: runId } = await exchanged(caller, id)
    const [entry] = await journalOf(runId)
    const basic = Buffer.from(`portal:${secret}`).toString('base64')
    expect(source.asked[0]?.headers.authorization).toBe(`Basic ${basic}`)
    const text = JSON.stringify(entry)
    for (const form of [secret, basic, 'other']) expect(text).not.toContain(form)
    const response = await caller.call(readExchangeResponse, { params: { id: entry?.id ?? '' } })
    expect(String(response)).not.toContain(secret)
    const list = await caller.call(listExchanges, { query: { filter: { runId } } })
    expect(list.monitoring).toMatchObject([{ status: 'success', httpStatus: 200 }])
  })

  test('in this network is not reached in production', async () => {
    const [caller, source] = [await integrator(), await startOtherSystem()]
    const id = await connect(caller, 'contractors.import', source.url)
    const { PLATFORM_MODE } = env()
    env().PLATFORM_MODE = 'production'
    try {
      const { run } = await exchanged(caller, id)
      expect(run).toMatchObject({ state: 'stopped', fault: 'integrationAddress' })
    } finally {
      env().PLATFORM_MODE = PLATFORM_MODE
    }
    expect(source.asked).toEqual([])
  })
})
