import type { Transaction } from '@/db/client'
import { keepingSignInOf } from '@/lib/access/rights/administrators'
import { type Account, changeIn, changesContact } from '@/lib/account-administration/accounts/write'
import type { UserChange } from '@/lib/accounts/user-table/fields'
import { holderOf, type IdentifierKind, identifierKinds, setAside } from '@/lib/accounts/users/hand-over'
import type { Ctx } from '@/lib/base/context/ctx'
import { storedUnder, uniqueText } from '@/lib/fields/values/definition'
import { ownerOfUnique, releaseUnique } from '@/lib/fields/values/unique'
import { SyncPerson } from './options'
import { selectWaiting } from './queries'
import type { SyncCheck } from './values'
import { lockWithin, type Source } from './within'

/** How many people may wait for each other's values. */
const longest = 100

const isIdentifier = (code: string): code is IdentifierKind => identifierKinds.some((kind) => kind === code)

/** A change of one field alone. */
const onlyOf = ({ columns, dynamic, fields }: UserChange, code: string): UserChange => ({
  columns: Object.hasOwn(columns, code) ? { [code]: columns[code as 'email'] } : {},
  dynamic: Object.hasOwn(dynamic, code) ? { [code]: dynamic[code] ?? null } : {},
  fields: fields.filter((field) => field.code === code),
})

const valueIn = ({ columns, dynamic }: UserChange, code: string): unknown =>
  Object.hasOwn(columns, code) ? columns[code as 'email'] : dynamic[code]

type Moving = { row: number; account: Account; change: UserChange }
type Of = Source & { runId: string; check: SyncCheck }

/**
 * Lets somebody have a unique value that people of the same directory give up in the same run: each of them gets the one
 * that the directory has for them, the last one first, so that two can swap and several go round. `self` is the locked
 * account of who wants the value, null if it is new. Returns whose rows have changed and what runs after the commit; null if
 * one of them keeps their value (docs/rules/providers.md#values-that-are-unique).
 */
export async function makeWay(
  tx: Transaction,
  ctx: Ctx,
  { code, wanted, self }: { code: string; wanted: UserChange; self: Account | null },
  { runId, providerId, vouched, check }: Of,
): Promise<{ rows: number[]; after: unknown[] } | null> {
  const fieldId = wanted.fields.find((field) => field.code === code)?.id
  const holder = (value: unknown) =>
    isIdentifier(code) ? holderOf(tx, code, String(value)) : fieldId ? ownerOfUnique(tx, fieldId, value) : null
  const chain: Moving[] = []
  const seen = new Set<string>()
  for (let value = valueIn(wanted, code); ; ) {
    const id = await holder(value)
    if (!id || id === self?.id) break
    if (seen.has(id) || seen.size >= longest) return null
    seen.add(id)
    const account = await lockWithin(tx, ctx, id, { providerId, vouched })
    const waiting =
      account.providerId === providerId && account.externalId
        ? await selectWaiting(tx, runId, account.externalId)
        : undefined
    if (!waiting) return null
    const change = onlyOf(check(SyncPerson.parse(waiting.input), account).change, code)
    const next = valueIn(change, code)
    const had = isIdentifier(code) ? account[code] : storedUnder(account.values, code)
    if (next === undefined || uniqueText(next) === uniqueText(had)) return null
    chain.push({ row: waiting.row, account, change })
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
