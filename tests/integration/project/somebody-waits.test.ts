import { sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { db } from '@/db/client'
import { env } from '@/lib/base/runtime/env'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { somebodyWaits } from '../../setup/eventually'

useTestDatabase()

test('whoever connects after the first look is seen to wait', async () => {
  const { id } = await createUser()
  const late = new pg.Client({ connectionString: env().DATABASE_URL })
  let asked: Promise<unknown> | undefined
  await db().transaction(async (tx) => {
    await tx.execute(sql`select from users where id = ${id} for update`)
    const asks = vi.spyOn(tx, 'execute')
    const seen = somebodyWaits(tx)
    // a look asks twice
    await expect.poll(() => asks.mock.calls.length).toBeGreaterThan(2)
    await late.connect()
    asked = late.query('select from users where id = $1 for update', [id])
    await seen
  })
  await expect(asked).resolves.toMatchObject({ rowCount: 1 })
  await late.end()
})
