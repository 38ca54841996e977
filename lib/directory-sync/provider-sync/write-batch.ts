import type { Transaction } from '@/db/client'
import { lockAdministrators } from '@/lib/access/rights/administrators'
import { peopleWithMore } from '@/lib/access/rights/service'
import { createManyIn } from '@/lib/account-administration/accounts/write-many'
import { rolesOf } from '@/lib/accounts/role-holders/of-person'
import type { Batch } from '@/lib/base/batch-jobs/process-rows'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { holdUniqueness } from '@/lib/fields/values/unique'
import type { SyncPerson } from './options'
import { changedFields, type Done, notesOf } from './outcome'
import type { How } from './person'
import { provenNow } from './proven'
import { lockPeople, selectAccounts, selectLinked } from './queries'
import type { SyncCheck, SyncChecked } from './values'

type Means = Pick<How, 'providerId' | 'managed' | 'check'>
type Numbered = { row: number; input: SyncPerson }

/** Returns what a person's account would become; null if the person must be written alone, which says what is wrong. */
function checkedOf(check: SyncCheck, input: SyncPerson, account: Parameters<SyncCheck>[1]): SyncChecked | null {
  try {
    return check(input, account)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

const sameSet = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((each) => other.includes(each))

/**
 * Writes people in few statements: those who have no account yet and of whom nothing is doubtful, and those of whom nothing
 * differs. The others are left to be written alone. `told` hears what was done
 * (docs/rules/providers.md#synchronization).
 */
export async function writeTogether(
  tx: Transaction,
  ctx: Ctx,
  rows: readonly Numbered[],
  { providerId, managed, check, told }: Means & { told: (row: number, done: Omit<Done, 'after'>) => void },
): Promise<Batch> {
  const people = rows.filter(({ input }) => !input.goneId)
  const ids = people.map(({ input }) => input.externalId)
  const left = new Set(rows.map(({ row }) => row))
  // in the order of a single account, and before every other lock of the transaction
  await lockAdministrators(tx)
  await holdUniqueness(tx)
  await lockPeople(tx, providerId, ids)
  const accounts = await selectAccounts(tx, providerId, ids)
  const linked = await selectLinked(tx, providerId, ids)
  const accountIds = [...accounts.values()].map(({ id }) => id)
  const beyond = await peopleWithMore(tx, ctx, accountIds)
  const held = managed.size > 0 ? await rolesOf(tx, accountIds) : null
  const fresh: (Numbered & { checked: SyncChecked })[] = []
  for (const { row, input } of people) {
    const account = accounts.get(input.externalId) ?? null
    const wanted = input.roles.filter((id) => managed.has(id))
    const checked = checkedOf(check, input, account)
    // what another person has taken over is written alone
    if (!checked || linked.has(input.externalId) || input.moved.length > 0) continue
    if (!account) {
      if (wanted.length === 0 && input.rolesUnread.length === 0) fresh.push({ row, input, checked })
      continue
    }
    const has = (held?.get(account.id)?.roles ?? []).filter((id) => managed.has(id))
    const differs =
      (!account.enabled && account.disabledByProvider) ||
      input.rolesUnread.length > 0 ||
      !sameSet(has, wanted) ||
      changedFields(checked.change, account).length > 0 ||
      provenNow(account, input).length > 0
    if (differs || beyond.has(account.id)) continue
    told(row, { action: 'same', userId: account.id, changed: [], notes: notesOf(checked.notes) })
    left.delete(row)
  }
  const wanted = fresh.map(({ input: { externalId, proven }, checked: { change } }) => ({ change, externalId, proven }))
  const made = wanted.length > 0 ? await createManyIn(tx, ctx, providerId, wanted) : []
  for (const [at, { row, checked }] of fresh.entries()) {
    const account = made[at]
    if (!account) continue
    told(row, { action: 'created', userId: account.id, changed: [], notes: notesOf(checked.notes) })
    left.delete(row)
  }
  return { faults: new Map(), left }
}
