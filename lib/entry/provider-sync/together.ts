import type { Transaction } from '@/db/client'
import { createManyIn } from '@/lib/entry/user-accounts/write-many'
import type { Ctx } from '@/lib/kernel/ctx'
import { AppError } from '@/lib/kernel/errors'
import type { Together } from '@/lib/kernel/runs/work'
import { holdUniqueness } from '@/lib/people/fields/unique'
import { lockAdministrators } from '@/lib/people/rights/administrators'
import { peopleBeyond } from '@/lib/people/rights/service'
import { rolesOf } from '@/lib/people/role-holders/of-person'
import type { UserChange } from '@/lib/people/user-administration/fields'
import type { SyncRow } from './options'
import { changedFields, type Done } from './outcome'
import { lockPeople, selectAccounts, selectLinked } from './queries'
import type { syncChecker } from './values'

type Checker = Awaited<ReturnType<typeof syncChecker>>
type How = { providerId: string; managed: ReadonlySet<string>; check: Checker }
type Numbered = { row: number; input: SyncRow }

/** Returns what a person's account would become; null if the person must be written alone, which says what is wrong. */
function changeOf(check: Checker, values: SyncRow['values'], account: Parameters<Checker>[1]): UserChange | null {
  try {
    return check(values, account)
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
  { providerId, managed, check, told }: How & { told: (row: number, done: Omit<Done, 'after'>) => void },
): Promise<Together> {
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
  const beyond = await peopleBeyond(tx, ctx, accountIds)
  const held = managed.size > 0 ? await rolesOf(tx, accountIds) : null
  const fresh: (Numbered & { change: UserChange })[] = []
  for (const { row, input } of people) {
    const account = accounts.get(input.externalId) ?? null
    const wanted = input.roles.filter((id) => managed.has(id))
    const change = changeOf(check, input.values, account)
    if (!change || linked.has(input.externalId)) continue
    if (!account) {
      if (wanted.length === 0) fresh.push({ row, input, change })
      continue
    }
    const has = (held?.get(account.id)?.roles ?? []).filter((id) => managed.has(id))
    const back = !account.enabled && account.disabledByProvider
    if (back || beyond.has(account.id) || !sameSet(has, wanted) || changedFields(change, account).length > 0) continue
    told(row, { action: 'same', userId: account.id, changed: [] })
    left.delete(row)
  }
  const wanted = fresh.map(({ input, change }) => ({ change, externalId: input.externalId }))
  const made = wanted.length > 0 ? await createManyIn(tx, ctx, providerId, wanted) : []
  for (const [at, { row }] of fresh.entries()) {
    const account = made[at]
    if (!account) continue
    told(row, { action: 'created', userId: account.id, changed: [] })
    left.delete(row)
  }
  return { faults: new Map(), left }
}
