import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db, type Transaction } from '@/db/client'
import { isAdministratorNow, selectAdministratorsAnd } from '@/lib/access/rights/queries'
import { selectIdentifiable } from '@/lib/operations/settings-screen/queries'
import { createRoleWith } from '../../factories/access'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

/** Returns how many accounts and roles of accounts this connection has read, from tables and indexes. */
async function readSoFar(tx: Transaction): Promise<number> {
  const { rows } = await tx.execute<{ read: number }>(sql`
    select sum(pg_stat_get_xact_tuples_returned(id))::int as read
    from unnest(array['users'::regclass, 'user_roles'::regclass]) of,
      lateral (select of::oid union all select indexrelid from pg_index where indrelid = of) each (id)`)
  return rows[0]?.read ?? Number.NaN
}

/** Returns what was asked for, and how much was read for it. */
const asked = <T>(work: (tx: Transaction) => Promise<T>) =>
  db().transaction(async (tx) => {
    const before = await readSoFar(tx)
    const result = await work(tx)
    return { result, read: (await readSoFar(tx)) - before }
  })

const many = 3_000
let administrator: string
beforeAll(async () => {
  administrator = (await createUser({ roles: ['administrator'] })).id
  const code = await createRoleWith([])
  await db().execute(sql`with made as (
      insert into users (login, fio, enabled)
      select 'one of many ' || n, 'One of many', true from generate_series(1, ${many}::int) n returning id)
    insert into user_roles (user_id, role_id)
    select made.id, roles.id from made, roles where roles.code in (${code}, 'user')`)
})

test('what is read is counted', async () => {
  const all = await asked((tx) => tx.execute(sql`select count(fio) from users`))
  expect(all.read).toBeGreaterThanOrEqual(many)
})

// without statistics, as in the minutes after an import, and with them
describe.each([false, true])('among thousands of accounts with roles, analyzed: %s,', (analyzed) => {
  beforeAll(async () => {
    if (analyzed) await db().execute(sql`analyze users, user_roles`)
  })

  test('the administrators are found by their role', async () => {
    const { result, read } = await asked((tx) => selectAdministratorsAnd(tx, null))
    expect(result.map(({ id }) => id)).toContain(administrator)
    expect(read).toBeLessThan(100)
  })

  test('whether somebody is one is read by their own roles', async () => {
    const { result, read } = await asked((tx) => isAdministratorNow(tx, administrator))
    expect(result).toBe(true)
    expect(read).toBeLessThan(100)
  })

  test('so is whether one can be identified', async () => {
    const { result, read } = await asked((tx) => selectIdentifiable(tx, null, ['login']))
    expect(result).toBe(true)
    expect(read).toBeLessThan(100)
  })
})
