import { randomUUID } from 'node:crypto'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { and, eq } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, beforeAll, expect, inject, test } from 'vitest'
import { resealAll } from '@/bin/secrets/reseal'
import { db } from '@/db/client'
import { dynamicFields, runRows, users } from '@/db/schema'
import * as calls from '@/lib/account-administration/user-import/contract'
import { readUserImportFaults } from '@/lib/account-administration/user-import/service'
import { encrypt, namedKeys } from '@/lib/base/crypto/encryption'
import { batchKinds } from '@/lib/wiring/runs'
import { signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { freshKey, setKeys } from '../../factories/keys'
import { signInByPassword } from '../../factories/sign-in'
import { importOf, workOnImport } from '../../factories/user-import'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
const keys = process.env.SECRET_KEYS ?? ''
beforeAll(() => db().update(dynamicFields).set({ adminRequired: false }))
afterEach(() => void setKeys(keys))

const login = () => `secret-${randomUUID().slice(0, 13)}`
const administrator = async () => new Caller((await signedInWith(['users.write'])).browser)
const secret = 'Tihaja-gavan-31'

/** Everything that somebody has who stole the database: each row of each table as text, the queue included. */
async function dump(): Promise<string> {
  const owner = new pg.Client(
    Object.assign(new URL(inject('ownerUrl')), { pathname: new URL(process.env.DATABASE_URL ?? '').pathname }).href,
  )
  await owner.connect()
  try {
    const { rows } = await owner.query<{ place: string }>(
      `select format('%I.%I', schemaname, tablename) as place from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    const texts: string[] = []
    for (const { place } of rows) {
      const stored = await owner.query<{ text: string | null }>(
        `select string_agg(t::text, e'\n') as text from ${place} t`,
      )
      texts.push(stored.rows[0]?.text ?? '')
    }
    return texts.join('\n')
  } finally {
    await owner.end()
  }
}

async function fileOf(caller: Caller, id: string) {
  let file = ''
  const { chunks } = await caller.serve((ctx) => readUserImportFaults(ctx, { params: { id } }))
  for await (const chunk of chunks) file += chunk
  return file
}

const breaking = (row: number): typeof batchKinds => ({
  users: async (run) => {
    const kind = await batchKinds.users?.(run)
    if (typeof kind !== 'object') throw new Error('no batches')
    return {
      ...kind,
      processBatch: async () => {
        throw new Error('nobody expected this')
      },
      processRow: async (tx, each) => {
        if (each.row === row) throw new Error('nobody expected this')
        return kind.processRow(tx, each)
      },
    }
  },
})

test('whoever has the database finds no hash of a waiting, a stopped, a failed or a given up row', async () => {
  const caller = await administrator()
  const names = Array.from({ length: 4 }, login)
  const hashes = await Promise.all(names.map(() => bcrypt(secret, { cost: 4 })))
  const unmapped = await bcrypt(secret, { cost: 4 })
  const body = importOf(
    ['field.login', 'password', null],
    names.map((name, n) => [n === 3 ? 'a b' : name, hashes[n] ?? '', n === 2 ? unmapped : 'department']),
  )
  const { id } = await caller.call(calls.startUserImport, { body })
  const isIn = (text: string) => [...hashes, unmapped].map((hash) => text.includes(hash))
  expect(isIn(await dump())).toEqual([false, false, false, false, false])
  await caller.call(calls.stopUserImport, { params: { id } })
  expect(isIn(await dump())).toEqual([false, false, false, false, false])
  await caller.call(calls.resumeUserImport, { params: { id } })
  // rows count from the head of the file
  const kinds = breaking(3)
  for (let turn = 0; turn < 2; turn++) await expect(workOnImport(id, kinds)).rejects.toThrow('a row of a run failed')
  await workOnImport(id, kinds)
  const { run } = await caller.call(calls.readUserImport, { params: { id } })
  expect(run).toMatchObject({ state: 'done', done: 2, failed: 2 })
  // the two that were written are the accounts' own now
  expect(isIn(await dump())).toEqual([true, false, true, false, false])
  const rows = await db().select({ input: runRows.input }).from(runRows).where(eq(runRows.runId, id))
  expect(JSON.stringify(rows)).not.toMatch(/\$2b|password/)
  const file = await fileOf(caller, id)
  expect(file).toContain('department')
  expect(isIn(file)).toEqual([false, false, false, false, false])
  for (const name of [names[0], names[2]])
    expect((await signInByPassword(new Browser(), name ?? '', secret)).status, name).toBe(200)
})

test('rows that an earlier version stored are written, and their hashes are in no file', async () => {
  const caller = await administrator()
  const [name, broken] = [login(), login()]
  const hash = await bcrypt(secret, { cost: 4 })
  const body = importOf(
    ['field.login', 'password'],
    [name, broken].map((each) => [each, hash]),
  )
  const { id } = await caller.call(calls.startUserImport, { body })
  const ofRow = (row: number) => and(eq(runRows.runId, id), eq(runRows.row, row))
  await db()
    .update(runRows)
    .set({ input: { cells: [name, hash], roles: [], contractors: [] } })
    .where(ofRow(2))
  await db()
    .update(runRows)
    .set({ state: 'failed', fault: 'errorUnknown', input: { cells: [broken, hash] } })
    .where(ofRow(3))
  await workOnImport(id)
  expect((await signInByPassword(new Browser(), name, secret)).status).toBe(200)
  expect(await fileOf(caller, id)).not.toContain(hash)
})

test('a sealed hash opens in its own row alone: one that was put into another row gives nobody a password', async () => {
  const caller = await administrator()
  const [victim, attacker] = [login(), login()]
  const [victimHash, attackerHash] = await Promise.all([
    bcrypt('Somebody-else-77', { cost: 4 }),
    bcrypt(secret, { cost: 4 }),
  ])
  const body = importOf(
    ['field.login', 'password'],
    [
      [victim, victimHash],
      [attacker, attackerHash],
    ],
  )
  const { id } = await caller.call(calls.startUserImport, { body })
  const stored = await db().select().from(runRows).where(eq(runRows.runId, id)).orderBy(runRows.row)
  const password = stored[1]?.input.password
  expect(password).toEqual(expect.any(String))
  for (const put of [password, attackerHash, encrypt('imports', attackerHash, '')]) {
    await db()
      .update(runRows)
      .set({ state: 'waiting', tries: 2, input: { ...stored[0]?.input, password: put } })
      .where(and(eq(runRows.runId, id), eq(runRows.row, 2)))
    await workOnImport(id)
    const faults = await db().select().from(runRows).where(eq(runRows.runId, id)).orderBy(runRows.row)
    expect(faults[0]).toMatchObject({ state: 'failed', fault: 'errorUnknown', input: { cells: [victim, ''] } })
    expect(await db().$count(users, eq(users.login, victim))).toBe(0)
    await caller.call(calls.readUserImport, { params: { id } })
    await db().execute(`update runs set state = 'running' where id = '${id}'`)
  }
})

test('a key that is exchanged meanwhile can go: what waits is encrypted anew', async () => {
  const caller = await administrator()
  const name = login()
  const body = importOf(['field.login', 'password'], [[name, await bcrypt(secret, { cost: 4 })]])
  const { id } = await caller.call(calls.startUserImport, { body })
  const next = freshKey()
  setKeys(next, keys)
  const old = namedKeys()[1]?.marks.imports ?? 'none'
  const sealed = async () => JSON.stringify(await db().select().from(runRows).where(eq(runRows.runId, id)))
  expect(await sealed()).toContain(`"${old}.`)
  const { done } = await resealAll()
  expect(done).toContainEqual({ what: 'passwords of imports', many: 1 })
  expect(await sealed()).not.toContain(`"${old}.`)
  setKeys(next)
  await workOnImport(id)
  const { rows } = await db().execute(`select state, fault from run_rows where run_id = '${id}'`)
  expect(rows).toEqual([{ state: 'done', fault: null }])
})
