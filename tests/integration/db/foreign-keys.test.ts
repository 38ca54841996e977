import { sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { db } from '@/db/client'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

/** Returns the foreign keys without a valid index that begins with their columns, in any order. */
const without = sql`
  select c.conrelid::regclass::text || ' (' || string_agg(a.attname, ', ' order by a.attname) || ')' as key
  from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
  where c.contype = 'f' and c.connamespace = 'public'::regnamespace and not exists (
    select from pg_index i
    where i.indrelid = c.conrelid and i.indisvalid and i.indpred is null
      and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
  )
  group by c.oid, c.conrelid`

const keysWithout = async () => (await db().execute<{ key: string }>(without)).rows.map(({ key }) => key)

test('every foreign key has an index, so that deleting a row doesn’t scan other tables', async () => {
  const { rows } = await db().execute<{ many: number }>(
    sql`select count(*)::int as many from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  expect(rows[0]?.many).toBeGreaterThan(50)
  expect(await keysWithout()).toEqual([])
})

test('a foreign key without an index is found, and a partial index doesn’t count', async () => {
  const owner = new pg.Client(
    Object.assign(new URL(inject('ownerUrl')), { pathname: new URL(process.env.DATABASE_URL ?? '').pathname }).href,
  )
  await owner.connect()
  try {
    await owner.query(`create table later (id int primary key, user_id uuid references users, a text, b text)`)
    expect(await keysWithout()).toEqual(['later (user_id)'])
    await owner.query('create index on later (a, user_id)')
    await owner.query('create index on later (user_id) where a is null')
    expect(await keysWithout()).toEqual(['later (user_id)'])
    await owner.query('create index on later (user_id, a)')
    expect(await keysWithout()).toEqual([])
  } finally {
    await owner.query('drop table if exists later')
    await owner.end()
  }
})

test('sign-in attempts are found by their account with an index', async () => {
  const { rows } = await db().execute(sql`
    select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indrelid = 'sign_in_attempts'::regclass and i.indisvalid and a.attname = 'user_id'`)
  expect(rows).not.toEqual([])
})
