import { type SQL, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { isAdministrator } from '@/db/held-roles'
import { selectAdministratorsAnd } from '@/lib/people/rights/queries'
import { createRoleWith } from '../factories/access'
import { createUser } from '../factories/users'
import { useTestDatabase } from '../setup/database'

useTestDatabase()

type Node = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

/** Returns how many rows of accounts and of their roles a query reads. */
async function rowsRead(query: SQL): Promise<number> {
  const { rows } = await db().execute<{ 'QUERY PLAN': [{ Plan: Node }] }>(sql`explain (analyze, format json) ${query}`)
  const count = (node: Node): number =>
    (['users', 'user_roles'].includes(node['Relation Name'] ?? '')
      ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      : 0) + (node.Plans ?? []).reduce((sum, each) => sum + count(each), 0)
  const [row] = rows
  if (!row) throw new Error('there is no plan')
  return count(row['QUERY PLAN'][0].Plan)
}

let administrator: string
beforeAll(async () => {
  administrator = (await createUser({ roles: ['administrator'] })).id
  const code = await createRoleWith([])
  await db().execute(sql`with made as (
      insert into users (login, fio, enabled) select 'one of many ' || n, 'One of many', true from generate_series(1, 3000) n
      returning id)
    insert into user_roles (user_id, role_id) select made.id, roles.id from made, roles where roles.code in (${code}, 'user')`)
})

// without statistics, as in the minutes after an import, and with them
describe.each([false, true])('among thousands of accounts with roles, analyzed: %s,', (analyzed) => {
  beforeAll(async () => {
    if (analyzed) await db().execute(sql`analyze users, user_roles`)
  })

  test('the administrators are found by their role', async () => {
    const query = selectAdministratorsAnd(db() as never, null)
    expect((await query).map(({ id }) => id)).toContain(administrator)
    expect(await rowsRead(query.getSQL())).toBeLessThan(100)
  })

  test('whether somebody is one is read by their own roles', async () => {
    expect(await rowsRead(sql`select ${isAdministrator(administrator)}`)).toBeLessThan(100)
  })
})
