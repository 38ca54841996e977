import { callerId, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { GivenFile } from '@/lib/base/contracts/file'
import { auditedExport } from '@/lib/base/export/audited-export'
import { type TableAccount, tableColumns } from '../user-table/columns'
import { requiredCodes, shownValues } from '../user-table/fields'
import { heldNamer } from '../user-table/names'
import type * as calls from './contract'
import { userExportEntity } from './entity'
import { selectUsersToExport } from './queries'

/**
 * Returns the accounts of the list as a file: its columns, what people hold, and the fields that the administration shows
 * (docs/rules/rest.md#exports), which the history records. An import of the file changes nothing. Needs users.read.
 */
export async function exportUsers(
  ctx: Ctx,
  { query: { format, list } }: ServiceInput<typeof calls.exportUsers>,
): Promise<GivenFile> {
  requireMethod(ctx, 'users.read')
  const [columns, namesOf, required] = await Promise.all([
    tableColumns(ctx),
    heldNamer(ctx.locale),
    list.filter.incomplete === undefined ? null : requiredCodes(),
  ])
  const about = { id: callerId(ctx), now: ctx.now(), required }
  return auditedExport<TableAccount>(ctx, {
    entity: userExportEntity,
    filter: list.filter,
    format,
    name: `users-${about.now.toISOString().slice(0, 10)}`,
    columns,
    read: async (after) => {
      const { rows, meta } = await selectUsersToExport({ ...list, after }, about)
      const held = await namesOf(rows.map(({ id }) => id))
      const read = rows.map(async (row) => ({ ...row, ...held(row.id), shown: await shownValues(row) }))
      return { rows: await Promise.all(read), after: meta.after }
    },
  })
}
