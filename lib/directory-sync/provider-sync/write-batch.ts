import type { Transaction } from '@/db/client'
import { lockAdministrators } from '@/lib/access/rights/last-administrator'
import { peopleWithMore } from '@/lib/access/rights/service'
import { createManyIn } from '@/lib/account-administration/accounts/write-many'
import { rolesOf } from '@/lib/accounts/role-holders/of-person'
import type { Batch } from '@/lib/base/batch-jobs/process-rows'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { holdUniqueness } from '@/lib/fields/values/unique'
import type { SyncPerson } from './options'
import { changedFields, notesOf, type PersonOutcome } from './outcome'
import type { WriteRules } from './person'
import { newlyProven } from './proven'
import { lockPeople, selectAccounts, selectLinked } from './queries'
import type { SyncCheck, SyncChecked } from './values'

type BatchRules = Pick<WriteRules, 'providerId' | 'managed' | 'check'>
type NumberedRow = { row: number; input: SyncPerson }

/**
 * Returns the checked change of a person's account; null if the check fails: a write as a single row then names the
 * fault.
 */
function checkedOf(check: SyncCheck, input: SyncPerson, account: Parameters<SyncCheck>[1]): SyncChecked | null {
  try {
    return check(input, account)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

const isSameSet = (first: readonly string[], second: readonly string[]) =>
  first.length === second.length && first.every((item) => second.includes(item))

/**
 * Writes a batch of people in few statements: new people whose data raises no doubt, and people whose data is
 * unchanged. The other rows stay in `singleRows`, to be written one by one. Calls `report` with the outcome of each written
 * row (docs/rules/providers.md#synchronization).
 */
export async function writeBatch(
  tx: Transaction,
  ctx: Ctx,
  rows: readonly NumberedRow[],
  {
    providerId,
    managed,
    check,
    report,
  }: BatchRules & { report: (row: number, done: Omit<PersonOutcome, 'after'>) => void },
): Promise<Batch> {
  const people = rows.filter(({ input }) => !input.goneId)
  const ids = people.map(({ input }) => input.externalId)
  const unwritten = new Set(rows.map(({ row }) => row))
  // in the same order as for a single row, and before every other lock of the transaction
  await lockAdministrators(tx)
  await holdUniqueness(tx)
  await lockPeople(tx, providerId, ids)
  const accounts = await selectAccounts(tx, providerId, ids)
  const linked = await selectLinked(tx, providerId, ids)
  const accountIds = [...accounts.values()].map(({ id }) => id)
  const withMoreRights = await peopleWithMore(tx, ctx, accountIds)
  const rolesByAccount = managed.size > 0 ? await rolesOf(tx, accountIds) : null
  const newPeople: (NumberedRow & { checked: SyncChecked })[] = []
  for (const { row, input } of people) {
    const account = accounts.get(input.externalId) ?? null
    const targets = input.roles.filter((id) => managed.has(id))
    const checked = checkedOf(check, input, account)
    // a person whose value moved to another person is written as a single row
    if (!checked || linked.has(input.externalId) || input.moved.length > 0) continue
    if (!account) {
      if (targets.length === 0 && input.rolesUnread.length === 0) newPeople.push({ row, input, checked })
      continue
    }
    const currentRoles = (rolesByAccount?.get(account.id)?.roles ?? []).filter((id) => managed.has(id))
    const differs =
      (!account.enabled && account.disabledByProvider) ||
      input.rolesUnread.length > 0 ||
      !isSameSet(currentRoles, targets) ||
      changedFields(checked.change, account).length > 0 ||
      newlyProven(account, input).length > 0
    if (differs || withMoreRights.has(account.id)) continue
    report(row, { action: 'same', userId: account.id, changed: [], notes: notesOf(checked.notes) })
    unwritten.delete(row)
  }
  const targets = newPeople.map(({ input: { externalId, proven }, checked: { change } }) => ({
    change,
    externalId,
    proven,
  }))
  const created = targets.length > 0 ? await createManyIn(tx, ctx, providerId, targets) : []
  for (const [index, { row, checked }] of newPeople.entries()) {
    const account = created[index]
    if (!account) continue
    report(row, { action: 'created', userId: account.id, changed: [], notes: notesOf(checked.notes) })
    unwritten.delete(row)
  }
  return { faults: new Map(), singleRows: unwritten }
}
