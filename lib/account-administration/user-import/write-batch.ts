import type { Transaction } from '@/db/client'
import { lockAdministrators } from '@/lib/access/rights/administrators'
import { peopleWithMore, refreshRights } from '@/lib/access/rights/service'
import { givable, giveRolesTogether, type Held, rolesHeldBy } from '@/lib/accounts/role-holders/of-person'
import type { Batch } from '@/lib/base/batch-jobs/process-rows'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { contractorsHeldBy, heldContractors, joinContractors } from '@/lib/companies/contractors/of-person'
import { peopleFields } from '@/lib/fields/values/service'
import { holdUniqueness, uniqueAmong } from '@/lib/fields/values/unique'
import { changeIn } from '../accounts/write'
import { createManyIn, mailEntryLinks } from '../accounts/write-many'
import { CellFault, type RowInput } from './cells'
import { isNothing, type RowChange, type rowChanger } from './change'
import { concernsAdministrators, type Plan } from './plan'
import { lockByKeys, lockExternalIds, selectHeldIds } from './queries'

export type GivenRow = { row: number; cells: readonly string[]; roles: readonly Held[]; contractors: readonly string[] }
type Means = {
  plan: Plan
  read: (cells: readonly string[]) => RowInput
  changeOf: Awaited<ReturnType<typeof rowChanger>>
}
type Known = GivenRow & { input: RowInput }
type Fresh = Known & RowChange

/** Returns what this returns; null for a row that must be written alone, which says what is wrong with it. */
function orAlone<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof AppError || error instanceof CellFault) return null
    throw error
  }
}

/** What of an account names it or is proven: a change of it concerns others, so such a row is written alone. */
const names = ['login', 'email', 'mobile'] as const

/** Reads the rows; those that can't be read, and those that name one account or one external id twice, aren't among them. */
function readable(rows: readonly GivenRow[], read: Means['read']): Known[] {
  const known = rows.flatMap((row) => {
    const input = orAlone(() => read(row.cells))
    return input ? [{ ...row, input }] : []
  })
  const count = (list: readonly string[]) => Map.groupBy(list, (each) => each)
  const keys = count(known.map(({ input }) => input.key))
  const ids = count(known.flatMap(({ input }) => input.externalId ?? []))
  return known.filter(
    ({ input }) => keys.get(input.key)?.length === 1 && (!input.externalId || ids.get(input.externalId)?.length === 1),
  )
}

/**
 * Writes rows of a file in few statements: new accounts, accounts of which nothing differs, and changes of fields that are
 * nobody's name, if the account already holds the roles and contractors of its row. What is doubtful in any way is left
 * to be written alone, by the same rules (docs/rules/people.md#import-of-accounts).
 */
export async function writeTogether(
  tx: Transaction,
  ctx: Ctx,
  rows: readonly GivenRow[],
  { plan, read, changeOf }: Means,
): Promise<Batch> {
  const known = readable(rows, read)
  const ids = known.flatMap(({ input }) => input.externalId ?? [])
  // in the order of a single account: administrators, unique fields, external ids, roles, contractors, accounts
  if (concernsAdministrators(plan)) await lockAdministrators(tx)
  await holdUniqueness(tx)
  await lockExternalIds(tx, ids)
  const canGive = await givable(
    tx,
    ctx,
    known.flatMap(({ roles }) => roles),
  )
  const companies = await heldContractors(
    tx,
    known.flatMap(({ contractors }) => contractors),
  )
  const isGivable = ({ roles, contractors }: Known) =>
    contractors.every((id) => companies.has(id)) &&
    roles.every((held) => canGive(held) && (!held.contractorId || contractors.includes(held.contractorId)))

  const accounts = await lockByKeys(
    tx,
    plan.by,
    known.map(({ input }) => input.key),
  )
  const byKey = Map.groupBy(accounts, (account) =>
    plan.by === 'externalId' ? account.externalId : account[plan.by]?.toLowerCase(),
  )
  const accountIds = accounts.map(({ id }) => id)
  const beyond = await peopleWithMore(tx, ctx, accountIds)
  const [hasRoles, isIn] = [await rolesHeldBy(tx, accountIds), await contractorsHeldBy(tx, accountIds)]
  const taken = new Set(await selectHeldIds(tx, ids))
  const unique = await uniqueAmong(tx, await peopleFields())
  const left = new Set(rows.map(({ row }) => row))
  const after: unknown[] = []
  const fresh: Fresh[] = []
  for (const one of known) {
    const { input } = one
    const [account, second] = byKey.get(input.key) ?? []
    const row = orAlone(() => changeOf(input, account ?? null))
    if (!row || second) continue
    if (!account) {
      if (plan.mode !== 'update' && !taken.has(input.externalId ?? '') && isGivable(one)) fresh.push({ ...one, ...row })
      continue
    }
    const gives = !hasRoles(account.id, one.roles) || !isIn(account.id, one.contractors)
    if (plan.mode === 'create' || gives) continue
    if (!isNothing(account, row)) {
      const { change: moved, externalId } = row
      if (beyond.has(account.id) || externalId !== undefined || !isGivable(one)) continue
      const claims = moved.fields.some(({ id }) => unique.some((field) => field.id === id))
      if (claims || names.some((name) => Object.hasOwn(moved.columns, name))) continue
      after.push(await changeIn(tx, ctx, account, moved, { columns: {}, recorded: () => ({}) }))
    }
    left.delete(one.row)
  }

  const made = await createManyIn(
    tx,
    ctx,
    null,
    fresh.map(({ change, input }) => ({ change, externalId: input.externalId, passwordHash: input.password })),
  )
  const created = fresh.flatMap((one, at) => {
    const account = made[at]
    return account ? [{ ...one, account }] : []
  })
  for (const { row } of created) left.delete(row)
  const people = created.map(({ account, roles, contractors }) => ({
    ...{ userId: account.id, roles, contractorIds: contractors },
  }))
  await joinContractors(tx, ctx, people)
  after.push(...(await giveRolesTogether(tx, ctx, people)))
  const concerned = people.filter(({ roles, contractorIds }) => roles.length + contractorIds.length > 0)
  if (concerned.length > 0) after.push(await refreshRights(tx, ctx, { people: concerned.map(({ userId }) => userId) }))
  if (plan.sendLinks)
    await mailEntryLinks(
      tx,
      ctx,
      created.flatMap(({ input, account }) => (input.password ? [] : [account])),
    )
  return { faults: new Map(), left, after }
}
