import type { Transaction } from '@/db/client'
import { keepingSignInOf } from '@/lib/access/rights/last-administrator'
import { type Account, changeIn, changesContact } from '@/lib/account-administration/accounts/write'
import type { UserChange } from '@/lib/accounts/user-table/fields'
import { holderOf, type IdentifierKind, identifierKinds, setAside } from '@/lib/accounts/users/hand-over'
import type { Ctx } from '@/lib/base/context/ctx'
import { storedUnder, uniqueText } from '@/lib/fields/values/definition'
import { ownerOfUnique, releaseUnique } from '@/lib/fields/values/unique'
import { SyncPerson } from './options'
import { selectWaitingRow } from './queries'
import type { SyncCheck } from './values'
import { lockWithin, type RunProvider } from './within'

/** The most people in a chain that wait for each other's values. */
const longestChain = 100

const isIdentifier = (code: string): code is IdentifierKind => identifierKinds.some((kind) => kind === code)

/** Returns the part of a change that concerns one field. */
const changeOfField = ({ columns, dynamic, fields }: UserChange, code: string): UserChange => ({
  columns: Object.hasOwn(columns, code) ? { [code]: columns[code as 'email'] } : {},
  dynamic: Object.hasOwn(dynamic, code) ? { [code]: dynamic[code] ?? null } : {},
  fields: fields.filter((field) => field.code === code),
})

const valueIn = ({ columns, dynamic }: UserChange, code: string): unknown =>
  Object.hasOwn(columns, code) ? columns[code as 'email'] : dynamic[code]

type Move = { row: number; account: Account; change: UserChange }
type RunContext = RunProvider & { runId: string; check: SyncCheck }

/**
 * Frees a unique value for an account if people of the same directory give it up in the same run. Follows the chain of
 * holders and writes to each of them the value that the directory has for them, the last one first, so that two people
 * can swap values and several can rotate them. `self` is the locked account that needs the value, null for a new
 * account. Returns the rows of the changed people and what runs after the commit; null if one of them keeps their value
 * (docs/rules/providers.md#values-that-are-unique).
 */
export async function makeWay(
  tx: Transaction,
  ctx: Ctx,
  { code, wanted: wantedChange, self }: { code: string; wanted: UserChange; self: Account | null },
  { runId, providerId, vouched, check }: RunContext,
): Promise<{ rows: number[]; after: unknown[] } | null> {
  const fieldId = wantedChange.fields.find((field) => field.code === code)?.id
  const holder = (value: unknown) =>
    isIdentifier(code) ? holderOf(tx, code, String(value)) : fieldId ? ownerOfUnique(tx, fieldId, value) : null
  const chain: Move[] = []
  const visited = new Set<string>()
  for (let value = valueIn(wantedChange, code); ; ) {
    const id = await holder(value)
    if (!id || id === self?.id) break
    if (visited.has(id) || visited.size >= longestChain) return null
    visited.add(id)
    const account = await lockWithin(tx, ctx, id, { providerId, vouched })
    const waitingRow =
      account.providerId === providerId && account.externalId
        ? await selectWaitingRow(tx, runId, account.externalId)
        : undefined
    if (!waitingRow) return null
    const change = changeOfField(check(SyncPerson.parse(waitingRow.input), account).change, code)
    const next = valueIn(change, code)
    const current = isIdentifier(code) ? account[code] : storedUnder(account.values, code)
    if (next === undefined || uniqueText(next) === uniqueText(current)) return null
    chain.push({ row: waitingRow.row, account, change })
    if (next === null) break
    value = next
  }
  if (self && isIdentifier(code)) await setAside(tx, self.id, code)
  else if (self && fieldId) await releaseUnique(tx, self.id, fieldId)
  const after: unknown[] = []
  for (const { account, change } of chain.toReversed()) {
    const store = () => changeIn(tx, ctx, account, change, { columns: {}, recorded: () => ({}), silent: true })
    after.push(await (changesContact(account, change) ? keepingSignInOf(tx, account.id, store) : store()))
  }
  return { rows: chain.map(({ row }) => row), after }
}
