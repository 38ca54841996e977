import { randomUUID } from 'node:crypto'
import { db } from '@/db/client'
import { auditEvent } from '../audit/audit'
import type { Entity } from '../audit/entity'
import type { Ctx } from '../context/ctx'
import type { GivenFile } from '../contracts/file'
import { type Export, exportFile } from './export'

type AuditedExport<R> = Omit<Export<R>, 'timeZone'> & {
  /** Declares `exportFields` and the filters of the list. */
  entity: Entity
  /** The filters of the list, by their names in the entity. */
  filter: Readonly<Record<string, unknown>>
}

/**
 * Returns a list as a file, and records the export in the history (docs/rules/rest.md#exports): before the first byte
 * the format and the filters, afterwards the number of rows, and whether the file is complete. Throws TypeError for a
 * filter that the entity doesn't declare.
 */
export async function auditedExport<R>(ctx: Ctx, { entity, filter, ...list }: AuditedExport<R>): Promise<GivenFile> {
  const id = randomUUID()
  const audit = (type: 'create' | 'update', details: Readonly<Record<string, unknown>>) =>
    db().transaction((tx) => auditEvent(tx, ctx, entity, id, type, details))
  await audit('create', { format: list.format, ...filter })
  let rows = 0
  const file = exportFile({
    ...list,
    timeZone: ctx.timeZone,
    read: async (after) => {
      const page = await list.read(after)
      rows += page.rows.length
      return page
    },
  })
  async function* chunks() {
    let complete = false
    try {
      yield* file.chunks
      complete = true
    } finally {
      // if this fails, the file breaks off: the history would not show its end
      await audit('update', { rows, complete })
    }
  }
  return { ...file, chunks: chunks() }
}
