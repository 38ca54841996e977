import type { Transaction } from '@/db/client'
import { lockAdministrators } from '@/lib/access/rights/last-administrator'
import { peopleWithMore, refreshRights } from '@/lib/access/rights/service'
import { assignableCheck, giveRolesInBatch, type PlacedRole, rolesHeldBy } from '@/lib/accounts/role-holders/of-person'
import type { Batch } from '@/lib/base/batch-jobs/process-rows'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { contractorsHeldBy, joinContractors, lockExistingContractors } from '@/lib/companies/contractors/of-person'
import { peopleFields } from '@/lib/fields/values/service'
import { holdUniqueness, uniqueAmong } from '@/lib/fields/values/unique'
import { importApps } from '@/lib/sign-in/factors/totp/apps'
import { changeIn } from '../accounts/write'
import { createManyIn, mailEntryLinks } from '../accounts/write-many'
import { CellFault, type RowInput } from './cells'
import { changesNothing, type RowChange, type rowChanger } from './change'
import { concernsAdministrators, type Plan } from './plan'
import { lockByKeys, lockExternalIds, selectTakenExternalIds } from './queries'

export type StoredImportRow = {
  row: number
  cells: readonly string[]
  roles: readonly PlacedRole[]
  contractors: readonly string[]
}
type ImportContext = {
  plan: Plan
  read: (cells: readonly string[]) => RowInput
  changeOf: Awaited<ReturnType<typeof rowChanger>>
}
type ReadRow = StoredImportRow & { input: RowInput }
type NewRow = ReadRow & RowChange

/**
 * Returns the result of `work`; null if it throws a fault. The row must then be written as a single one, which reports
 * the fault.
 */
function nullIfFaulty<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof AppError || error instanceof CellFault) return null
    throw error
  }
}

/**
 * Columns that identify an account or are proven. A change of them concerns other accounts, so such a row is written as
 * a single one.
 */
const identifierColumns = ['login', 'email', 'mobile'] as const

/** Returns the rows that can be read, without those that share a key or an external id with another row. */
function readRows(rows: readonly StoredImportRow[], readCells: ImportContext['read']): ReadRow[] {
  const readableRows = rows.flatMap((row) => {
    const input = nullIfFaulty(() => readCells(row.cells))
    return input ? [{ ...row, input }] : []
  })
  const grouped = (values: readonly string[]) => Map.groupBy(values, (each) => each)
  const rowsByKey = grouped(readableRows.map(({ input }) => input.key))
  const rowsByExternalId = grouped(readableRows.flatMap(({ input }) => input.externalId ?? []))
  return readableRows.filter(
    ({ input }) =>
      rowsByKey.get(input.key)?.length === 1 &&
      (!input.externalId || rowsByExternalId.get(input.externalId)?.length === 1),
  )
}

/**
 * Writes rows of a file in few statements: new accounts, accounts that stay the same, and changes of fields that aren't
 * identifiers, if the account already holds the roles and contractors of its row. A row that is doubtful in any way is
 * left to be written as a single one, by the same rules (docs/rules/people.md#import-of-accounts).
 */
export async function writeBatch(
  tx: Transaction,
  ctx: Ctx,
  rows: readonly StoredImportRow[],
  { plan, read, changeOf }: ImportContext,
): Promise<Batch> {
  const readableRows = readRows(rows, read)
  const externalIds = readableRows.flatMap(({ input }) => input.externalId ?? [])
  // the order of locks as for a single row: administrators, unique fields, external ids, roles, contractors, accounts
  if (concernsAdministrators(plan)) await lockAdministrators(tx)
  await holdUniqueness(tx)
  await lockExternalIds(tx, externalIds)
  const isAssignable = await assignableCheck(
    tx,
    ctx,
    readableRows.flatMap(({ roles }) => roles),
  )
  const existingContractors = await lockExistingContractors(
    tx,
    readableRows.flatMap(({ contractors }) => contractors),
  )
  const isRowAssignable = ({ roles, contractors }: ReadRow) =>
    contractors.every((id) => existingContractors.has(id)) &&
    roles.every((role) => isAssignable(role) && (!role.contractorId || contractors.includes(role.contractorId)))

  const accounts = await lockByKeys(
    tx,
    plan.by,
    readableRows.map(({ input }) => input.key),
  )
  const byKey = Map.groupBy(accounts, (account) =>
    plan.by === 'externalId' ? account.externalId : account[plan.by]?.toLowerCase(),
  )
  const accountIds = accounts.map(({ id }) => id)
  const unchangeable = await peopleWithMore(tx, ctx, accountIds)
  const [hasRoles, isIn] = [await rolesHeldBy(tx, accountIds), await contractorsHeldBy(tx, accountIds)]
  const takenExternalIds = new Set(await selectTakenExternalIds(tx, externalIds))
  const uniqueFields = await uniqueAmong(tx, await peopleFields())
  const unwritten = new Set(rows.map(({ row }) => row))
  const afterCommit: unknown[] = []
  const newRows: NewRow[] = []
  for (const importRow of readableRows) {
    const { input } = importRow
    const [account, second] = byKey.get(input.key) ?? []
    const row = nullIfFaulty(() => changeOf(input, account ?? null))
    if (!row || second) continue
    if (!account) {
      if (plan.mode !== 'update' && !takenExternalIds.has(input.externalId ?? '') && isRowAssignable(importRow))
        newRows.push({ ...importRow, ...row })
      continue
    }
    const lacksAssignments = !hasRoles(account.id, importRow.roles) || !isIn(account.id, importRow.contractors)
    if (plan.mode === 'create' || lacksAssignments) continue
    if (!changesNothing(account, row)) {
      const { change: userChange, externalId } = row
      if (unchangeable.has(account.id) || externalId !== undefined || !isRowAssignable(importRow)) continue
      const claimsUnique = userChange.fields.some(({ id }) => uniqueFields.some((field) => field.id === id))
      if (claimsUnique || identifierColumns.some((name) => Object.hasOwn(userChange.columns, name))) continue
      afterCommit.push(await changeIn(tx, ctx, account, userChange, { columns: {}, recorded: () => ({}) }))
    }
    unwritten.delete(importRow.row)
  }

  const accountsOrNull = await createManyIn(
    tx,
    ctx,
    null,
    newRows.map(({ change, input }) => ({ change, externalId: input.externalId, passwordHash: input.password })),
  )
  const created = newRows.flatMap((importRow, index) => {
    const account = accountsOrNull[index]
    return account ? [{ ...importRow, account }] : []
  })
  for (const { row } of created) unwritten.delete(row)
  await importApps(
    tx,
    ctx,
    created.flatMap(({ input: { appKey }, account }) => (appKey ? [{ userId: account.id, key: appKey }] : [])),
  )
  const people = created.map(({ account, roles, contractors }) => ({
    ...{ userId: account.id, roles, contractorIds: contractors },
  }))
  await joinContractors(tx, ctx, people)
  afterCommit.push(...(await giveRolesInBatch(tx, ctx, people)))
  const withAssignments = people.filter(({ roles, contractorIds }) => roles.length + contractorIds.length > 0)
  if (withAssignments.length > 0)
    afterCommit.push(await refreshRights(tx, ctx, { people: withAssignments.map(({ userId }) => userId) }))
  if (plan.sendLinks)
    await mailEntryLinks(
      tx,
      ctx,
      created.flatMap(({ input, account }) => (input.password ? [] : [account])),
    )
  return { faults: new Map(), singleRows: unwritten, after: afterCommit }
}
