import { isDeepStrictEqual } from 'node:util'
import { fieldCell, type TableField, textOfCell } from '@/lib/accounts/user-table/cells'
import { targetOf } from '@/lib/accounts/user-table/columns'
import { changeChecker, type UserChange } from '@/lib/accounts/user-table/fields'
import type { Ctx } from '@/lib/base/context/ctx'
import { withChanges } from '@/lib/fields/values/values'
import { CellFault, columnOf, differingValues, type RowInput, requireVisible } from './cells'
import type { Plan } from './plan'
import type { FoundAccount } from './queries'

/** What a row changes of an account, or has of a new one; without what the account has already. */
export type RowChange = { change: UserChange; externalId?: string }

/** Returns a change without the columns that it leaves as they are. */
function movedOf(account: FoundAccount, { columns, ...change }: UserChange): UserChange {
  const own = account as unknown as Record<string, unknown>
  const moved = Object.entries(columns).filter(([code, value]) => (own[code] || null) !== (value || null))
  return { ...change, columns: Object.fromEntries(moved) }
}

/**
 * Returns what reads the change of a row. It throws CellFault, and 400 by field as the check of a single account does: by
 * its external id a directory knows its people, so whoever changes it signs in as somebody else.
 */
export async function rowChanger(ctx: Ctx, plan: Plan, fields: readonly TableField[]) {
  const check = await changeChecker(ctx)
  return (input: RowInput, account: FoundAccount | null): RowChange => {
    const { externalId } = input
    const isNew = externalId !== undefined && externalId !== account?.externalId
    const column = columnOf(plan, 'externalId')
    if (account?.providerId && isNew) throw new CellFault('errorDirectoryField', { column })
    if (isNew) requireVisible(externalId, column)
    const change = check(account ? differingValues(fields, input, account) : input.values, account)
    return { change: account ? movedOf(account, change) : change, ...(isNew ? { externalId } : {}) }
  }
}

/** Whether a change leaves an account as it is. */
export const isNothing = (account: FoundAccount, { change: { columns, dynamic }, externalId }: RowChange): boolean =>
  externalId === undefined &&
  Object.keys(columns).length === 0 &&
  isDeepStrictEqual(withChanges(account.values, dynamic), account.values)

/** What a cell changes: the name of its column, and what people read before and after. */
export type ShownChange = { column: string; before: string; after: string }

/** How much of a text is shown. */
const longest = 300

/** Returns what a row changes, cell by cell in the order of the file. */
export function shownChanges(
  { columns, head }: Plan,
  fields: readonly TableField[],
  { account, ...row }: RowChange & { account: FoundAccount | null; roles: string; contractors: string },
): ShownChange[] {
  const byTarget = new Map(fields.map((field) => [targetOf(field.code), field]))
  const own: Record<string, unknown> = account ?? {}
  const next: Record<string, unknown> = row.change.columns
  const text = (field: TableField, value: unknown) => textOfCell(fieldCell(field, value))
  const valuesOf = (target: string): { before: string; after: string } | null => {
    const field = byTarget.get(target)
    if (field) {
      const { code } = field
      const [before, after] = field.base ? [own, next] : [account?.values ?? {}, row.change.dynamic]
      if (!Object.hasOwn(after, code)) return null
      return { before: text(field, before[code]), after: text(field, after[code]) }
    }
    if (target === 'externalId') return { before: account?.externalId ?? '', after: row.externalId ?? '' }
    return target === 'roles' || target === 'contractors' ? { before: '', after: row[target] } : null
  }
  return columns.flatMap((target, at) => {
    const values = target ? valuesOf(target) : null
    const { before = '', after = '' } = values ?? {}
    if (before === after) return []
    return [{ column: head[at] || String(at + 1), before: before.slice(0, longest), after: after.slice(0, longest) }]
  })
}
