import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { db } from '@/db/client'
import { history, historySeals } from '@/db/schema'
import { rootOf } from '@/lib/operations/history-chain/digests'
import { extendHistoryChain } from '@/lib/operations/history-chain/seal'
import { type FaultKind, verifyHistory } from '@/lib/operations/history-chain/verify'
import { platformHousekeeping } from '@/lib/wiring/housekeeping'
import { inOtherProcess } from '../../factories/other-process'
import { caseNumbers } from '../../factories/random-cases'
import { setSetting } from '../../factories/settings'
import { bundled } from '../../setup/bundled'
import { useTestDatabase } from '../../setup/database'
import { eachFifth } from '../../setup/scope'

useTestDatabase()

/** Somebody with the owner's rights, behind the platform's back. */
let owner: pg.Client
beforeAll(async () => {
  const url = new URL(inject('ownerUrl'))
  url.pathname = new URL(process.env.DATABASE_URL ?? '').pathname
  owner = new pg.Client(url.href)
  await owner.connect()
})
afterAll(() => owner.end())

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

/** Writes rows as the application does. Returns their ids. */
async function write(count: number, date = new Date()): Promise<number[]> {
  const rows = Array.from({ length: count }, (_, at) => ({
    type: 'update' as const,
    entity: 'sealed',
    entityId: randomUUID(),
    field: 'name',
    previous: { at, text: 'а«b»\u00a0"' },
    current: [at, null, 1.5],
    date,
  }))
  return (await db().insert(history).values(rows).returning({ id: history.id })).map(({ id }) => id)
}

const kinds = async (anchor?: string): Promise<Partial<Record<FaultKind, number>>> => {
  const faultCounts: Partial<Record<FaultKind, number>> = {}
  for (const { kind } of (await verifyHistory({ anchor })).faults) faultCounts[kind] = (faultCounts[kind] ?? 0) + 1
  return faultCounts
}
const entries = async () => Number((await owner.query('select count(*) from history_seals')).rows[0].count)
const anchorNow = async () => (await verifyHistory()).anchor ?? ''

describe('sealing', () => {
  test('a history from before, and what is written now, is whole', async () => {
    await extendHistoryChain()
    expect(await kinds()).toEqual({})
    const ids = await write(25)
    // not sealed yet, and no fault
    expect(await kinds()).toEqual({})
    await extendHistoryChain({ limit: 10 })
    expect((await verifyHistory()).rows).toBeGreaterThanOrEqual(ids.length)
    expect(await kinds()).toEqual({})
  })

  test('a row that is committed late is sealed once, though later rows are sealed already', async () => {
    let commit = () => {}
    const waits = new Promise<void>((resolve) => {
      commit = resolve
    })
    let wrote = () => {}
    const written = new Promise<void>((resolve) => {
      wrote = resolve
    })
    const late = db().transaction(async (tx) => {
      await tx.insert(history).values({ type: 'update', entity: 'late', entityId: '1' })
      wrote()
      await waits
    })
    await written
    await write(3)
    await extendHistoryChain()
    const before = (await verifyHistory()).rows
    commit()
    await late
    await extendHistoryChain()
    expect((await verifyHistory()).rows).toBe(before + 1)
    expect(await kinds()).toEqual({})
  })

  test('thirty writers and four sealers at once leave no row out and seal none twice', async () => {
    const before = (await verifyHistory()).rows
    const sealers = Array.from({ length: 4 }, async () => {
      for (let round = 0; round < 5; round++) await extendHistoryChain({ limit: 7 })
    })
    await Promise.all([...Array.from({ length: 30 }, () => write(4)), ...sealers])
    await extendHistoryChain()
    const { rows, faults } = await verifyHistory()
    expect([rows - before, faults]).toEqual([120, []])
  })
})

describe('a sealer that is killed', () => {
  /** Writes rows, seals them in a process that kills itself, and finishes. Returns what the chain got, and its faults. */
  async function sealedDespite(rows: number, dies: string, meanwhile?: { begin: string; end: string }) {
    await extendHistoryChain()
    const before = (await verifyHistory()).rows
    await write(rows)
    if (meanwhile) await owner.query(meanwhile.begin)
    const killed = inOtherProcess(
      `const { extendHistoryChain } = await load('lib/operations/history-chain/seal.ts')
       const { db } = await load('db/client.ts')
       const die = () => process.kill(process.pid, 'SIGKILL')
       ${dies}`,
    )
    await expect(killed).rejects.toThrow()
    if (meanwhile) await owner.query(meanwhile.end)
    // the database notices some time later that the process is gone, and gives its turn back
    const sealedNow = async () => {
      await extendHistoryChain({ limit: 7 })
      return (await verifyHistory()).rows - before
    }
    await expect.poll(sealedNow).toBe(rows)
    return (await verifyHistory()).faults
  }

  test('in the middle of an entry leaves no row out and seals none twice', async () => {
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like 'insert into "history_seals"%'`
    const faults = await sealedDespite(
      30,
      `void extendHistoryChain({ limit: 10 })
       for (;;) if ((await db().execute(\`${waits}\`)).rows.length > 0) die()`,
      { begin: 'begin; lock table history_seals in share mode', end: 'commit' },
    )
    expect(faults).toEqual([])
  })

  test.each(eachFifth([0, 1, 2]))('at any moment neither, round %i', async (round) => {
    const dies = `setTimeout(die, ${20 + caseNumbers(40)(40) + 30 * round}); for (;;) await extendHistoryChain({ limit: 1 })`
    expect(await sealedDespite(60, dies)).toEqual([])
  })
})

describe('behind the platform’s back', () => {
  const columns = [
    `type = 'delete'`,
    `entity = 'x'`,
    `entity_id = 'x'`,
    `subtype = 'x'`,
    `field = null`,
    `previous = '{"at": 0}'`,
    `current = '[0, null, 1.50]'`,
    `ip = '203.0.113.1'`,
    `changer_id = gen_random_uuid()`,
    `request_id = 'x'`,
    `date = date - interval '1 microsecond'`,
  ]

  test('a change of any column of any row is found', async () => {
    const ids = await write(columns.length)
    await extendHistoryChain()
    for (const [at, change] of columns.entries())
      await owner.query(`update history set ${change} where id = $1`, [ids[at]])
    const { faults } = await verifyHistory()
    expect(faults.map(({ kind, row }) => [kind, row])).toEqual(ids.map((id) => ['rowChanged', id]))
    await owner.query('delete from history where id = any($1)', [ids])
    expect(await kinds()).toEqual({ rowMissing: columns.length })
    await mend(ids)
  })

  test('swapped rows, deleted and inserted ones are found, sealed or not', async () => {
    const [one = 0, other = 0, deletedId = 0] = await write(3)
    await extendHistoryChain()
    await owner.query('update history set entity_id = (select entity_id from history where id = $2) where id = $1', [
      one,
      other,
    ])
    await owner.query('delete from history where id = $1', [deletedId])
    // before it is sealed
    const [early = 0] = await write(1)
    await owner.query('delete from history where id = $1', [early])
    // by another role, which the trigger notes; and without the trigger
    const insert = `insert into history (type, entity, entity_id) values ('update', 'forged', '1') returning id`
    const foreign = Number((await owner.query(insert)).rows[0].id)
    await owner.query('alter table history disable trigger queue_history_row')
    const unknown = Number((await owner.query(insert)).rows[0].id)
    await owner.query('alter table history enable trigger queue_history_row')
    await extendHistoryChain()
    const { faults } = await verifyHistory()
    expect(faults.map(({ kind, row }) => [kind, row]).sort()).toEqual(
      [
        ['rowChanged', one],
        ['rowMissing', deletedId],
        ['rowLost', early],
        ['rowForeign', foreign],
        ['rowUnsealed', unknown],
      ].sort(),
    )
    await mend([one, deletedId, early, foreign, unknown])
  })

  test('an entry that is changed, replaced, emptied, taken out or cut off is found', async () => {
    const ids = await write(4)
    await extendHistoryChain({ limit: 1 })
    const { rows } = await owner.query('select * from history_seals order by seq desc limit 4')
    const [last, third, second, first] = rows.map(({ seq }) => Number(seq))
    const anchor = await anchorNow()
    await owner.query('begin')
    // with a digest that fits, which needs no key
    const forged = rows[1]
    const lists = {
      ids: [ids[2] ?? 0],
      moments: forged.moments.map(Number),
      digests: ['x'],
      foreignRows: [],
      lostRows: [],
    }
    await owner.query('update history_seals set digests = $2, root = $3 where seq = $1', [third, ['x'], rootOf(lists)])
    await owner.query(
      'update history_seals set ids = null, salts = null, digests = null, moments = null where seq = $1',
      [second],
    )
    await owner.query('delete from history where id = any($1)', [[ids[1]]])
    await owner.query('delete from history_seals where seq = $1', [first])
    await owner.query('commit')
    expect(await kinds(anchor)).toMatchObject({ entryMissing: 1, entryEmptied: 1, rowUnsealed: 1, rowChanged: 1 })
    expect((await kinds(anchor)).entryChanged).toBeGreaterThan(0)
    // the end of the chain and its rows are gone: only somebody who kept the anchor finds it
    await owner.query('delete from history_seals where seq >= $1', [first])
    await owner.query('delete from history where id = any($1)', [ids])
    expect(await kinds()).toEqual({})
    expect(await kinds(anchor)).toEqual({ anchorMissing: 1 })
    expect(last).toBeGreaterThan(0)
  })

  test('an entry with a digest of its own that somebody without the key adds is found', async () => {
    await write(1)
    await extendHistoryChain()
    await owner.query(`update history_seals set mac = 'x' where seq = (select max(seq) from history_seals)`)
    expect(await kinds()).toEqual({ entryForged: 1 })
    await owner.query('delete from history_seals where seq = (select max(seq) from history_seals)')
    await owner.query(
      `delete from history where entity = 'sealed' and id not in (select unnest(ids) from history_seals)`,
    )
    expect(await kinds()).toEqual({})
  })

  test('the application’s role changes and deletes nothing', async () => {
    for (const statement of [
      `update history set entity = 'x'`,
      'delete from history',
      'truncate history',
      `update history_seals set root = 'x'`,
      'delete from history_seals',
      `insert into history_unsealed (id, until) values (1, 1)`,
      'alter table history disable trigger queue_history_row',
    ])
      await expect(db().execute(statement), statement).rejects.toThrow()
    for (const days of [0, 44, -1])
      await expect(
        db().execute(`select remove_old_history(now() - interval '${days} days')`),
        `${days} days`,
      ).rejects.toMatchObject({ cause: { code: '22023' } })
    // no entry of the chain says that anything is removed
    await expect(db().execute(`select remove_old_history(now() - interval '46 days')`)).rejects.toMatchObject({
      cause: { code: '55000' },
    })
  })
})

/** Takes the traces of a test away: rows, and the entries from theirs on. */
async function mend(ids: number[]) {
  await owner.query(
    `delete from history_seals where seq >= (select min(seq) from history_seals
      where ids && $1::bigint[] or lost_rows && $1::bigint[] or foreign_rows && $1::bigint[])`,
    [ids],
  )
  await owner.query('delete from history where id = any($1)', [ids])
  await owner.query(`insert into history_unsealed (id, until) select id, id from history h
    where not exists (select from history_seals s where h.id = any(s.ids)) on conflict do nothing`)
  await extendHistoryChain()
  expect(await kinds()).toEqual({})
}

describe('the retention', () => {
  beforeAll(() => setSetting('historyRetention', 60))
  const removeOld = async () => platformHousekeeping.history?.(new Date())

  test('removes sealed rows that are older than the setting, and no others, while people write', async () => {
    const [old, edge, young] = [await write(30, daysAgo(80)), await write(5, daysAgo(61)), await write(5, daysAgo(59))]
    await extendHistoryChain({ limit: 9 })
    const unsealed = await write(3, daysAgo(90))
    const before = (await verifyHistory()).rows
    await Promise.all([removeOld(), write(20), write(20)])
    const remainingIds = new Set((await owner.query('select id from history')).rows.map(({ id }) => Number(id)))
    expect([...old, ...edge].filter((id) => remainingIds.has(id))).toEqual([])
    expect([...young, ...unsealed].filter((id) => !remainingIds.has(id))).toEqual([])
    const { rows, faults } = await verifyHistory()
    expect([rows, faults]).toEqual([before - 35, []])
    // they are removed once they are sealed
    await extendHistoryChain()
    await removeOld()
    expect((await owner.query('select id from history where id = any($1)', [unsealed])).rows).toEqual([])
    expect(await kinds()).toEqual({})
    const many = await entries()
    await removeOld()
    expect(await entries()).toBe(many)
  })

  test('is no cover: what it didn’t remove is found, and removed rows leave no salt', async () => {
    const [deletedId = 0, changed = 0] = await write(2, daysAgo(50))
    await extendHistoryChain()
    await owner.query('delete from history where id = $1', [deletedId])
    await owner.query(
      'update history_seals set salts = array_fill(null::uuid, array[cardinality(salts)]) where $1 = any(ids)',
      [deletedId],
    )
    await owner.query(`update history set entity = 'x' where id = $1`, [changed])
    expect(await kinds()).toEqual({ rowMissing: 1, rowChanged: 1 })
    await mend([deletedId, changed])
    const salted = await db().select({ ids: historySeals.ids, salts: historySeals.salts }).from(historySeals)
    const idsLeft = new Set((await owner.query('select id from history')).rows.map(({ id }) => Number(id)))
    for (const { ids, salts } of salted)
      for (const [at, id] of (ids ?? []).entries()) expect(Boolean(salts?.[at])).toBe(idsLeft.has(id))
  })
})

describe('npm run platform -- history verify', () => {
  const run = (...args: string[]) =>
    new Promise<{ code: number; printed: string }>((resolve) =>
      execFile(process.execPath, [bundled('bin/platform.ts'), 'history', 'verify', ...args], (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, printed: out + err }),
      ),
    )

  test('ends with 1 and names what differs, otherwise with 0', async () => {
    const anchor = await anchorNow()
    expect(await run('--anchor', anchor)).toMatchObject({ code: 0, printed: expect.stringContaining('is whole') })
    const [id = 0] = await write(1)
    await extendHistoryChain()
    await owner.query(`update history set entity = 'x' where id = $1`, [id])
    const { code, printed } = await run('--json')
    expect([code, JSON.parse(printed).faults]).toEqual([
      1,
      [{ kind: 'rowChanged', entry: expect.any(Number), row: id }],
    ])
    expect(await run('--anchor', 'newest')).toMatchObject({
      code: 2,
      printed: expect.stringContaining('--anchor is <'),
    })
    await mend([id])
  })
})
