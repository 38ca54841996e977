import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields } from '@/db/schema'
import { checkRows } from '@/lib/account-administration/user-import/check'
import { slashedColumns } from '@/lib/account-administration/user-import/plan'
import { tableFields } from '@/lib/accounts/user-table/columns'
import { systemicMethods } from '@/lib/base/access/access-methods'
import type { TableRow } from '@/lib/base/tables/rows'
import { createContext } from '../../factories/context'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
// what new accounts must have is the matter of other tests
beforeAll(() => db().update(dynamicFields).set({ adminRequired: false }))

/** How often the cells of a row are read at most before others get their turn: fifty rows, each a few times. */
const mostReadings = 50 * 6

/** Runs work on rows of a large file. Returns how often it reads cells at most without giving others their turn. */
async function readingsInTurn(count: number, work: (rows: TableRow[]) => Promise<unknown>): Promise<number> {
  let [readings, most] = [0, 0]
  const rows = Array.from({ length: count }, (_, index) => {
    const cells = [`login-${randomUUID().slice(0, 13)}`, 'Вера Орлова', index % 7 ? '14.03.1987' : 'never']
    return {
      row: index + 2,
      get cells() {
        most = Math.max(most, ++readings)
        return cells
      },
    }
  })
  const take = () => {
    readings = 0
    next = setImmediate(take)
  }
  let next = setImmediate(take)
  await work(rows).finally(() => clearImmediate(next))
  return most
}

test('others get their turn after each few rows of a file, and its rows are let go', async () => {
  const ctx = await createContext({ methods: [...systemicMethods] })
  const fields = await tableFields(ctx)
  const columns = ['field.login', 'field.fio', 'field.birthDate']
  const plan = { head: columns, columns, by: 'login', mode: 'both', sendLinks: false } as const
  let [good, faulty] = [0, 0]
  const checking = await readingsInTurn(2_100, async (rows) => {
    for await (const { fault } of checkRows(ctx, { ...plan, head: [...columns], columns: [...columns] }, fields, rows))
      if (fault) faulty++
      else good++
    expect(rows).toEqual([])
  })
  expect([good, faulty]).toEqual([1_800, 300])
  expect(checking).toBeLessThan(mostReadings)
  expect(await readingsInTurn(2_100, slashedColumns)).toBeLessThan(mostReadings)
})
