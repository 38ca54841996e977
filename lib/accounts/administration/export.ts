import { callerId, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { GivenFile } from '@/lib/base/contracts/file'
import { auditedExport } from '@/lib/base/export/audited-export'
import { type TableAccount, tableColumns } from '../user-table/columns'
import { requiredCodes, shownValues } from '../user-table/fields'
import { roleAndContractorCells } from '../user-table/names'
import type * as calls from './contract'
import { userExportEntity } from './entity'
import { selectUsersToExport } from './queries'

/**
 * Returns the accounts of the list as a file: the columns of the list, roles and contractors, and the fields that the
 * administration shows (docs/rules/rest.md#exports). The history records the export. An import of the unchanged file
 * changes nothing. Needs users.read.
 */
export async function exportUsers(
  ctx: Ctx,
  { query: { format, list } }: ServiceInput<typeof calls.exportUsers>,
): Promise<GivenFile> {
  requireMethod(ctx, 'users.read')
  const [columns, cellsOf, required] = await Promise.all([
    tableColumns(ctx),
    roleAndContractorCells(ctx.locale),
    list.filter.incomplete === undefined ? null : requiredCodes(),
  ])
  const context = { id: callerId(ctx), now: ctx.now(), required }
  return auditedExport<TableAccount>(ctx, {
    entity: userExportEntity,
    filter: list.filter,
    format,
    name: `users-${context.now.toISOString().slice(0, 10)}`,
    columns,
    read: async (after) => {
      const { rows, meta } = await selectUsersToExport({ ...list, after }, context)
      const cellsOfUser = await cellsOf(rows.map(({ id }) => id))
      const accounts = rows.map(async (row) => ({
        ...row,
        ...cellsOfUser(row.id),
        fieldValues: await shownValues(row),
      }))
      return { rows: await Promise.all(accounts), after: meta.after }
    },
  })
}
