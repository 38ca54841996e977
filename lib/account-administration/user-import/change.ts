import { isDeepStrictEqual } from 'node:util'
import { fieldCell, type TableField, textOfCell } from '@/lib/accounts/user-table/cells'
import { targetOf } from '@/lib/accounts/user-table/columns'
import { changeChecker, type UserChange } from '@/lib/accounts/user-table/fields'
import type { Ctx } from '@/lib/base/context/ctx'
import { withChanges } from '@/lib/fields/values/values'
import { CellFault, columnOf, differingValues, type RowInput, requireVisible } from './cells'
import type { Plan } from './plan'
import type { ImportAccount } from './queries'

/** What a row changes in an account, or the values of a new one, without what the account already has. */
export type RowChange = { change: UserChange; externalId?: string }

/** Returns a change without the columns that stay the same. */
function onlyDiffering(account: ImportAccount, { columns, ...change }: UserChange): UserChange {
  const columnValues = account as unknown as Record<string, unknown>
  const differing = Object.entries(columns).filter(([code, value]) => (columnValues[code] || null) !== (value || null))
  return { ...change, columns: Object.fromEntries(differing) }
}

/**
 * Returns a function that reads the change of a row. The function throws CellFault, and 400 by field as the check of a
 * single account does. It refuses another external id for an account of a directory: a directory identifies its people
 * by it, so another person would sign in to the account.
 */
export async function rowChanger(ctx: Ctx, plan: Plan, fields: readonly TableField[]) {
  const check = await changeChecker(ctx)
  return (input: RowInput, account: ImportAccount | null): RowChange => {
    const { externalId } = input
    const isNewId = externalId !== undefined && externalId !== account?.externalId
    const column = columnOf(plan, 'externalId')
    if (account?.providerId && isNewId) throw new CellFault('errorDirectoryField', { column })
    if (isNewId) requireVisible(externalId, column)
    const change = check(account ? differingValues(fields, input, account) : input.values, account)
    return { change: account ? onlyDiffering(account, change) : change, ...(isNewId ? { externalId } : {}) }
  }
}

/** Returns whether a change leaves an account as it is. */
export const changesNothing = (
  account: ImportAccount,
  { change: { columns, dynamic }, externalId }: RowChange,
): boolean =>
  externalId === undefined &&
  Object.keys(columns).length === 0 &&
  isDeepStrictEqual(withChanges(account.values, dynamic), account.values)

/** What a cell changes: the name of its column, and what people read before and after. */
export type ShownChange = { column: string; before: string; after: string }

/** How many characters of a text are shown. */
const longestShown = 300

/** Returns what a row changes, cell by cell in the order of the file. */
export function shownChanges(
  { columns, head }: Plan,
  fields: readonly TableField[],
  { account, ...row }: RowChange & { account: ImportAccount | null; roles: string; contractors: string },
): ShownChange[] {
  const byTarget = new Map(fields.map((field) => [targetOf(field.code), field]))
  const columnsBefore: Record<string, unknown> = account ?? {}
  const columnsAfter: Record<string, unknown> = row.change.columns
  const text = (field: TableField, value: unknown) => textOfCell(fieldCell(field, value))
  const valuesOf = (target: string): { before: string; after: string } | null => {
    const field = byTarget.get(target)
    if (field) {
      const { code } = field
      const [before, after] = field.base ? [columnsBefore, columnsAfter] : [account?.values ?? {}, row.change.dynamic]
      if (!Object.hasOwn(after, code)) return null
      return { before: text(field, before[code]), after: text(field, after[code]) }
    }
    if (target === 'externalId') return { before: account?.externalId ?? '', after: row.externalId ?? '' }
    return target === 'roles' || target === 'contractors' ? { before: '', after: row[target] } : null
  }
  return columns.flatMap((target, index) => {
    const values = target ? valuesOf(target) : null
    const { before = '', after = '' } = values ?? {}
    if (before === after) return []
    return [
      {
        column: head[index] || String(index + 1),
        before: before.slice(0, longestShown),
        after: after.slice(0, longestShown),
      },
    ]
  })
}
