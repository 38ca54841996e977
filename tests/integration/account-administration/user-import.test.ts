import { pbkdf2Sync, randomBytes, randomUUID } from 'node:crypto'
import { hash as argon2 } from '@node-rs/argon2'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { and, eq, inArray, like, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, history, links, messages, runRows, runs, userContractors, userRoles, users } from '@/db/schema'
import * as calls from '@/lib/account-administration/user-import/contract'
import { readUserImportFaults } from '@/lib/account-administration/user-import/service'
import { batchKinds } from '@/lib/wiring/runs'
import { signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { createContractor, createContractorRole } from '../../factories/companies'
import { defineField } from '../../factories/fields'
import { first } from '../../factories/platform'
import { signInByPassword } from '../../factories/sign-in'
import { imported, importOf, planned, workOnImport } from '../../factories/user-import'
import { createUser, password } from '../../factories/users'
import { inline, row, workbook } from '../../factories/workbook'
import { startWorker } from '../../factories/worker-process'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
// what new accounts must have is the matter of other tests
beforeAll(() => db().update(dynamicFields).set({ adminRequired: false }))
const running = new Set<Awaited<ReturnType<typeof startWorker>>>()
afterAll(async () => {
  for (const worker of running) await worker.end('SIGKILL')
})

const login = () => `import-${randomUUID().slice(0, 13)}`
const administrator = async (more: string[] = []) => new Caller((await signedInWith(['users.write', ...more])).browser)
const rowOf = async (name: string) => first(await db().select().from(users).where(eq(users.login, name)))
const faultsOf = ({ faults }: { faults: { row: number; code: string; params: object }[] }) =>
  faults.map(({ row, code, params }) => [row, code, params])

test('creates and updates accounts with fields, roles and contractors, and says which rows it can’t take', async () => {
  const caller = await administrator()
  const company = await createContractor()
  const place = company.organization.name
  const [systemic, ofCompany] = [await createContractorRole([], 'systemic'), await createContractorRole([])]
  const beyond = await createContractorRole(['license.write'], 'systemic')
  const field = await defineField({ fieldType: 'toggle' })
  const existing = await createUser({ roles: [], login: login(), fio: 'Было' })
  const [fresh, twice] = [login(), login()]
  const targets = [
    'field.login',
    'field.fio',
    'field.birthDate',
    `field.${field}`,
    'roles',
    'organization',
    'contractors',
  ]
  const rows = [
    [
      fresh,
      'Вера Орлова',
      '14.03.1987',
      'да',
      `${systemic.name}|${ofCompany.nameEn}`,
      place,
      company.contractor.inn ?? '',
    ],
    [existing.login.toUpperCase(), 'Стало', '', '', '', '', ''],
    [twice, 'Один', '', '', '', '', ''],
    [twice, 'Два', '', '', '', '', ''],
    [login(), 'Три', '31.02.1987', '', '', '', ''],
    [login(), 'Четыре', '', 'может быть', '', '', ''],
    [login(), 'Пять', '', '', 'Нет такой', '', ''],
    [login(), 'Шесть', '', '', beyond.name, '', ''],
    [login(), 'Семь', '', '', ofCompany.name, place, ''],
    [login(), 'Восемь', '', '', '', '', '0000000000'],
    ['', 'Без логина', '', '', '', '', ''],
    ['a b', 'Девять', '', '', '', '', ''],
  ]
  const body = importOf(targets, rows)
  const [before, earlier] = [await db().$count(users), await db().$count(runs)]
  const preview = await caller.call(calls.checkUserImport, { body })
  const faults = [
    [5, 'userImportRepeated', { row: 4, column: 'field.login' }],
    [6, 'errorBirthDate', { column: 'field.birthDate' }],
    [7, 'errorFormat', { column: `field.${field}` }],
    [8, 'userImportRole', { name: 'Нет такой' }],
    [9, 'userImportRoleBeyond', { name: beyond.name }],
    [10, 'userImportRoleContractor', { name: ofCompany.name }],
    [11, 'userImportContractor', { name: '0000000000' }],
    [12, 'errorEmpty', { column: 'field.login' }],
    [13, 'errorLogin', { column: 'field.login' }],
  ]
  expect(faultsOf(preview)).toEqual(faults)
  expect(preview).toMatchObject({ total: 12, good: 3, create: 2, update: 1, passwords: 0, links: 0 })
  expect([await db().$count(users), await db().$count(runs)]).toEqual([before, earlier])

  const done = await imported(caller, body)
  expect(done.run).toMatchObject({ state: 'done', done: 3, failed: 9 })
  expect(faultsOf(done)).toEqual(faults)
  const made = await rowOf(fresh)
  expect(made).toMatchObject({
    fio: 'Вера Орлова',
    birthDate: '1987-03-14',
    values: { [field]: true },
    passwordHash: null,
  })
  expect(await rowOf(existing.login)).toMatchObject({ id: existing.id, fio: 'Стало', email: existing.email })
  const heldRoles = await db()
    .select()
    .from(userRoles)
    .where(eq(userRoles.userId, made?.id ?? ''))
  expect(heldRoles.map(({ roleId }) => roleId)).toContain(systemic.id)
  expect(await db().$count(userContractors, eq(userContractors.userId, made?.id ?? ''))).toBe(1)
  // what is written isn't kept twice
  const stored = await db()
    .select({ input: runRows.input, state: runRows.state })
    .from(runRows)
    .where(eq(runRows.runId, done.id))
  expect(stored.filter(({ state }) => state === 'done').map(({ input }) => input)).toEqual([{}, {}, {}])
  // the next file begins with what was chosen
  const next = await caller.call(calls.readImportColumns, { body: { file: body.file } })
  expect(next.kept).toEqual({ by: 'login', mode: 'both', sendLinks: false })
  expect(next.columns.map(({ target }) => target)).toEqual(targets)
  // a second time nothing is new
  const again = await imported(caller, importOf(targets, rows.slice(0, 2)))
  expect(again.run).toMatchObject({ done: 2, failed: 0 })
  expect(await db().$count(history, and(eq(history.entity, 'users'), eq(history.requestId, again.id)))).toBe(0)
})

test('finds accounts by external id, keeps them apart from those of directories, and lets two accounts never share one', async () => {
  const caller = await administrator()
  const [id, other] = [`ext-${randomUUID()}`, `ext-${randomUUID()}`]
  const [one, two] = [login(), login()]
  const targets = ['externalId', 'field.login', 'field.fio']
  const options = { by: 'externalId' } as const
  await imported(
    caller,
    importOf(
      targets,
      [
        [id, one, 'Первый'],
        [other, two, 'Второй'],
      ],
      options,
    ),
  )
  const renamed = login()
  const { run } = await imported(caller, importOf(targets, [[id, renamed, 'Первый снова']], options))
  expect(run).toMatchObject({ done: 1, failed: 0 })
  expect(await rowOf(renamed)).toMatchObject({ externalId: id, fio: 'Первый снова' })
  const clash = await caller.call(calls.checkUserImport, { body: importOf(targets, [[id, two, '']], options) })
  expect(faultsOf(clash)).toEqual([[2, 'errorUnique', { column: 'field.login' }]])
  const stolen = await imported(
    caller,
    importOf(
      ['field.login', 'externalId'],
      [
        [two, id],
        [login(), login()],
      ],
    ),
  )
  expect(faultsOf(stolen)).toEqual([[2, 'errorUnique', { column: 'externalId' }]])
  const only = await caller.call(calls.checkUserImport, {
    body: importOf(
      ['externalId', 'field.login'],
      [
        [id, renamed],
        [login(), login()],
      ],
      { by: 'externalId', mode: 'create' },
    ),
  })
  expect(faultsOf(only)).toEqual([[2, 'userImportExists', {}]])
})

/** Django's form, with a salt that is a text. */
const django = (text: string) =>
  `pbkdf2_sha256$1000$salt$${pbkdf2Sync(text, 'salt', 1_000, 32, 'sha256').toString('base64')}`
const modular = (text: string) => {
  const salt = randomBytes(16)
  const ab64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('+', '.').replaceAll('=', '')
  return `$pbkdf2-sha512$1000$${ab64(salt)}$${ab64(pbkdf2Sync(text, salt, 1_000, 64, 'sha512'))}`
}

test('takes passwords of other systems over, which sign in and are hashed anew; an account that exists keeps its own', async () => {
  const caller = await administrator()
  const [secret, wrong] = ['Tihaja-gavan-31', 'Tihaja-gavan-32']
  const hashes = {
    argon2id: await argon2(secret, { memoryCost: 8_192, timeCost: 1, parallelism: 1 }),
    bcrypt: await bcrypt(secret, { cost: 4 }),
    'bcrypt of PHP': (await bcrypt(secret, { cost: 4 })).replace(/^\$2b/, '$2y'),
    django: django(secret),
    modular: modular(secret),
  }
  const refused = [
    '$2b$31$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuuabcdefghijkl',
    hashes.argon2id.replace('m=8192', 'm=4194304'),
    hashes.argon2id.replace('t=1', 't=999'),
    hashes.argon2id.replace('argon2id', 'argon2d'),
    django(secret).replace('$1000$', '$99999999$'),
    '5f4dcc3b5aa765d61d8327deb882cf99',
    secret,
  ]
  const names = Object.fromEntries(Object.keys(hashes).map((kind) => [kind, login()]))
  const existing = await createUser({ roles: [], login: login() })
  const rows = [
    ...Object.entries(hashes).map(([kind, hash]) => [names[kind] ?? '', hash]),
    [existing.login, hashes.bcrypt],
    ...refused.map((hash) => [login(), hash]),
  ]
  const body = importOf(['field.login', 'password'], rows)
  const preview = await caller.call(calls.checkUserImport, { body })
  expect(preview).toMatchObject({ passwords: 5, passwordsLeft: 1 })
  expect(preview.faults.map(({ code }) => code)).toEqual(refused.map(() => 'userImportHash'))
  expect(JSON.stringify(preview)).not.toMatch(/\$2b|argon2|pbkdf2/)
  const { id } = await imported(caller, body)
  let file = ''
  const { chunks } = await caller.serve((ctx) => readUserImportFaults(ctx, { params: { id } }))
  for await (const chunk of chunks) file += chunk
  expect(file).not.toMatch(/\$2b|\$argon2|\$pbkdf2|pbkdf2_/)
  expect(await db().$count(runRows, sql`${runRows.input}::text ~ '\\$(2[aby]|argon2|pbkdf2)'`)).toBe(0)
  for (const [kind, name] of Object.entries(names)) {
    expect((await signInByPassword(new Browser(), name, wrong)).status, kind).toBe(400)
    expect((await signInByPassword(new Browser(), name, secret)).status, kind).toBe(200)
    expect((await rowOf(name))?.passwordHash, kind).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await signInByPassword(new Browser(), name, secret)).status, `${kind} again`).toBe(200)
  }
  expect((await rowOf(existing.login))?.passwordHash).toBe(existing.passwordHash)
  expect((await signInByPassword(new Browser(), existing.login, password)).status).toBe(200)
})

test('mails links to new people who have an e-mail and no password, one each', async () => {
  const caller = await administrator()
  const names = [login(), login(), login()]
  const rows = [
    [names[0] ?? '', `${names[0]}@polaris.example`, ''],
    [names[1] ?? '', '', ''],
    [names[2] ?? '', `${names[2]}@polaris.example`, await bcrypt('x', { cost: 4 })],
  ]
  const body = importOf(['field.login', 'field.email', 'password'], rows, { sendLinks: true })
  expect(await caller.call(calls.checkUserImport, { body })).toMatchObject({ good: 3, links: 1, passwords: 1 })
  await imported(caller, body)
  const sent = await db()
    .select({ to: messages.recipient })
    .from(messages)
    .where(
      inArray(
        messages.recipient,
        rows.map(([, email = '']) => email),
      ),
    )
  expect(sent).toEqual([{ to: `${names[0]}@polaris.example` }])
  expect(await db().$count(links, eq(links.userId, (await rowOf(names[0] ?? ''))?.id ?? ''))).toBe(1)
})

test('reads a workbook', async () => {
  const caller = await administrator()
  const name = login()
  const file = new File(
    [new Uint8Array(workbook(row(inline('Логин'), inline('ФИО')) + row(inline(name), inline('Вера'))))],
    'a.xlsx',
  )
  const { source, columns } = await caller.call(calls.readImportColumns, { body: { file } })
  expect(source).toEqual({ kind: 'xlsx', sheet: 1, sheets: ['Люди'] })
  await imported(
    caller,
    planned(
      file,
      columns.map(({ target }) => target),
    ),
  )
  expect(await rowOf(name)).toMatchObject({ fio: 'Вера' })
  // most systems keep names in parts, whatever the forms here show
  const parts = await imported(
    caller,
    importOf(['field.login', 'field.lastName', 'field.firstName'], [[name, 'Орлова', 'Анна']]),
  )
  expect(parts.run).toMatchObject({ done: 1, failed: 0 })
  expect(await rowOf(name)).toMatchObject({ fio: 'Орлова Анна', lastName: 'Орлова', firstName: 'Анна' })
})

/** `ROWS=10000 npx vitest run --project integration tests/integration/account-administration/user-import.test.ts -t killed` is the whole measure. */
const rowCount = Number(process.env.ROWS ?? 130)

test('no duplicate and no half row when the worker is killed in the middle of a batch', {
  tags: ['full'],
  timeout: 600_000,
}, async () => {
  const caller = await administrator()
  const killedAt = Math.floor(rowCount * 0.6)
  const mark = randomUUID().slice(0, 8)
  const company = await createContractor()
  const rows = Array.from({ length: rowCount }, (_, at) => [
    `${mark}-${at}`,
    `${mark}-${at}@polaris.example`,
    company.contractor.inn ?? '',
  ])
  const body = importOf(['field.login', 'field.email', 'contractors'], rows, { sendLinks: true })
  const { id } = await caller.call(calls.startUserImport, { body })
  const worker = await startWorker(`
    const { processRows } = await load('lib/base/batch-jobs/process-rows.ts')
    const { batchKinds } = await load('lib/wiring/runs.ts')
    const users = async (run) => {
      const kind = await batchKinds.users(run)
      return { ...kind, processBatch: async (tx, rows) => {
        const done = await kind.processBatch(tx, rows)
        if (rows.some(({ row }) => row === ${killedAt})) process.kill(process.pid, 'SIGKILL')
        return done
      } }
    }
    return { run: ({ id }) => processRows({ users }, id) }`)
  running.add(worker)
  expect(await worker.ended).toBe('SIGKILL')
  const made = () =>
    db()
      .select({ id: users.id })
      .from(users)
      .where(like(users.login, `${mark}-%`))
  // whole batches, and nothing of the one in which it died
  const before = (await made()).length
  expect(before).toBeLessThan(killedAt - 1)
  expect(before).toBeGreaterThanOrEqual(killedAt - 102)
  const { run } = await caller.call(calls.readUserImport, { params: { id } })
  expect(run).toMatchObject({ state: 'running', done: before, failed: 0 })
  await Promise.all([workOnImport(id), workOnImport(id)])
  const all = await made()
  expect(all).toHaveLength(rowCount)
  const ids = all.map((one) => one.id)
  expect(await db().$count(links, inArray(links.userId, ids))).toBe(rowCount)
  expect(await db().$count(messages, inArray(messages.userId, ids))).toBe(rowCount)
  expect(await db().$count(userContractors, inArray(userContractors.userId, ids))).toBe(rowCount)
  expect(
    await db().$count(
      history,
      and(inArray(history.entityId, ids), eq(history.type, 'create'), eq(history.field, 'login')),
    ),
  ).toBe(rowCount)
  expect((await caller.call(calls.readUserImport, { params: { id } })).run).toMatchObject({
    state: 'done',
    done: rowCount,
  })
})

test('a row that breaks is given up alone, and the rows of its batch are done', async () => {
  const caller = await administrator()
  const names = Array.from({ length: 5 }, login)
  const { id } = await caller.call(calls.startUserImport, {
    body: importOf(
      ['field.login'],
      names.map((name) => [name]),
    ),
  })
  const broken: typeof batchKinds = {
    users: async (run) => {
      const kind = await batchKinds.users?.(run)
      if (typeof kind !== 'object') throw new Error('no batches')
      return {
        ...kind,
        processBatch: async (tx, rows) => {
          await kind.processBatch?.(tx, rows)
          if (rows.some(({ row }) => row === 4)) throw new Error('nobody expected this')
          return { faults: new Map() }
        },
        processRow: async (tx, each) => {
          await kind.processRow(tx, each)
          if (each.row === 4) throw new Error('nobody expected this')
        },
      }
    },
  }
  for (let turn = 0; turn < 2; turn++) await expect(workOnImport(id, broken)).rejects.toThrow('a row of a run failed')
  await workOnImport(id, broken)
  const { run, faults } = await caller.call(calls.readUserImport, { params: { id } })
  expect(run).toMatchObject({ state: 'done', done: 4, failed: 1 })
  expect(faults).toMatchObject([{ row: 4, code: 'errorUnknown' }])
  const isThere = async (name: string) => (await db().$count(users, eq(users.login, name))) > 0
  expect(await Promise.all(names.map(isThere))).toEqual([true, true, false, true, true])
})
