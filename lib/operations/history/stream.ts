import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { fieldError } from '@/lib/base/runtime/errors'
import { chainRowsAfter } from '../history-chain/order'
import type * as calls from './contract'
import { selectRowsOf } from './rows'
import { readingOf, rowOf } from './service'

/**
 * Returns the next rows that the caller sees, in the order of the history chain, and the place where the next call
 * continues. Needs history.read. Throws 400 for a place that the chain doesn't reach
 * (docs/rules/administration-screens.md#stream).
 */
export async function streamHistory(ctx: Ctx, { query: { after, limit } }: ServiceInput<typeof calls.streamHistory>) {
  const { reading } = await readingOf(ctx, { filter: {} })
  const chained = await chainRowsAfter(after, limit)
  if (!chained) throw fieldError('meta.after', 'errorCursor')
  const { rows, more } = chained
  const visibleRows =
    rows.length > 0
      ? await selectRowsOf(
          rows.map(({ id }) => id),
          reading.scope,
        )
      : []
  const byId = new Map(visibleRows.map((row) => [row.id, row]))
  const last = rows.at(-1) ?? after
  return {
    data: rows.flatMap(({ id }) => {
      const row = byId.get(id)
      return row ? [rowOf(ctx, row, reading.blocks)] : []
    }),
    meta: { after: `${last.seq}.${last.position}`, more },
  }
}
