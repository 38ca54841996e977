import { PgDialect } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import * as schema from '@/db/schema'
import { hasTurn, turnsPerDay } from '@/lib/base/postgres/batches'

test('each uuid has one turn of a day', () => {
  const spans = Array.from({ length: turnsPerDay }, (_, turn) => {
    const { params } = new PgDialect().sqlToQuery(hasTurn(schema.users.id, new Date(turn * 600_000 + 1)))
    return params.map((bound) => BigInt(`0x${String(bound).replaceAll('-', '')}`)) as [bigint, bigint]
  }).sort(([one], [other]) => (one < other ? -1 : 1))
  expect(spans[0]?.[0]).toBe(0n)
  expect(spans.at(-1)?.[1]).toBe(2n ** 128n - 1n)
  for (const [n, [from]] of spans.entries()) if (n > 0) expect(from).toBe((spans[n - 1]?.[1] ?? 0n) + 1n)
})
