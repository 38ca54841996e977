import type { Transaction } from '@/db/client'
import { keepingAdministrator, keepingSignInOf, lockAdministrators } from '@/lib/access/rights/last-administrator'
import { type Account, changeIn, changesContact, createIn } from '@/lib/account-administration/accounts/write'
import { auditedRolesOf, exchangeRolesIn, type PlacedRole } from '@/lib/accounts/role-holders/of-person'
import type { UserChange } from '@/lib/accounts/user-table/fields'
import { identifierKinds } from '@/lib/accounts/users/hand-over'
import { confirmMainContact } from '@/lib/accounts/users/own'
import { lockAccount } from '@/lib/accounts/users/personal'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { holdUniqueness } from '@/lib/fields/values/unique'
import { attempt, storeFitting, withoutFields } from './fitting'
import { makeWay } from './make-way'
import { type Loss, type Note, rolesCode, type SyncPerson } from './options'
import { changedFields, notesOf, type PersonOutcome } from './outcome'
import { newlyProven } from './proven'
import { isLinked, lockPerson, selectAccountId } from './queries'
import type { SyncCheck } from './values'
import { lockWithin, type RunProvider } from './within'

const platformWide = (roleId: string): PlacedRole => ({ roleId, organizationId: null, contractorId: null })

/** By which rules the people of a run are written. */
export type WriteRules = RunProvider & {
  runId: string
  check: SyncCheck
  /** Roles that mappers give. The directory doesn't change any other role. */
  managed: ReadonlySet<string>
  /** The losses that somebody has refused: people keep these values. */
  refusedLosses: readonly Loss[]
}

/** The outcome of a person; `moved` are the rows of other people who passed a value on. */
export type Written = PersonOutcome & { moved: { row: number; code: string }[] }

/** Returns the code of a refusal: the code of its first faulty field, if it names one. */
const codeOf = ({ code, data }: AppError): string => data.errorList?.[0]?.code ?? code
const noteOf = (error: AppError, fieldCode: string): Note => ({ code: codeOf(error), params: { fieldCode } })

/**
 * Gives or takes roles: all in one change or, if that is refused, one by one, so that a refused role doesn't stop the
 * others.
 */
async function changeRoles(tx: Transaction, ctx: Ctx, userId: string, side: 'give' | 'take', ids: readonly string[]) {
  const after: unknown[] = []
  const refused: AppError[] = []
  const noRoles = { give: [], take: [] }
  const attemptRoles = (roles: readonly string[]) =>
    attempt(tx, (inner) =>
      keepingAdministrator(inner, () =>
        exchangeRolesIn(inner, ctx, userId, { ...noRoles, [side]: roles.map(platformWide) }),
      ),
    )
  if (ids.length === 0) return { after, refused, changed: false }
  const result = await attemptRoles(ids)
  if (!(result instanceof AppError)) return { after: [result], refused, changed: true }
  for (const id of ids) {
    const single = ids.length > 1 ? await attemptRoles([id]) : result
    if (single instanceof AppError) refused.push(single)
    else after.push(single)
  }
  return { after, refused, changed: after.length > 0 }
}

/**
 * Returns the roles that the directory gives to a person and takes from them; a role with an unreadable value stays.
 */
async function rolesToChange(
  tx: Transaction,
  userId: string,
  row: SyncPerson,
  { managed, refusedLosses: refused }: WriteRules,
) {
  if (managed.size === 0) return { give: [], take: [] }
  const { roles } = await auditedRolesOf(tx, userId)
  const wantedRoles = row.roles.filter((id) => managed.has(id))
  const keepsRoles = refused.some(({ code }) => code === rolesCode)
  return {
    give: wantedRoles.filter((id) => !roles.includes(id)),
    take: keepsRoles
      ? []
      : roles.filter((id) => managed.has(id) && !wantedRoles.includes(id) && !row.rolesUnread.includes(id)),
  }
}

/** Confirms the contacts that the directory has proven, if the account has them now. */
async function confirmProven(tx: Transaction, ctx: Ctx, userId: string, row: SyncPerson): Promise<void> {
  const account = row.proven.length > 0 ? await lockAccount(tx, userId) : undefined
  for (const kind of account ? newlyProven(account, row) : []) await confirmMainContact(tx, userId, kind, ctx.now())
}

/** Returns the row without the losses that somebody has refused. */
const withoutLosses = (row: SyncPerson, { refusedLosses }: WriteRules): SyncPerson => {
  const isRefusedLoss = (code: string, value: unknown) =>
    value === null && refusedLosses.some((loss) => loss.code === code)
  const values = Object.entries(row.values).filter(([code, value]) => !isRefusedLoss(code, value))
  return { ...row, values: Object.fromEntries(values) }
}

/** Lets a person take over values that other people give up in this run, and records the changed rows. */
function valueExchange(ctx: Ctx, self: Account | null, rules: WriteRules) {
  const moves = new Map<string, { rows: number[]; after: unknown[] }>()
  return {
    makeWay: async (inner: Transaction, code: string, change: UserChange) => {
      const result = await attempt(inner, (nested) => makeWay(nested, ctx, { code, wanted: change, self }, rules))
      moves.delete(code)
      if (!result || result instanceof AppError) return false
      moves.set(code, result)
      return true
    },
    /** Returns the changed rows and what runs after the commit, for the fields that a change has stored. */
    of: ({ columns, dynamic }: UserChange) => {
      const stored = [...moves].filter(([code]) => Object.hasOwn(columns, code) || Object.hasOwn(dynamic, code))
      return {
        moved: stored.flatMap(([code, { rows }]) => rows.map((row) => ({ row, code }))),
        after: stored.flatMap(([, { after }]) => after),
      }
    },
  }
}

/**
 * Writes a person of a directory: takes the roles that the directory no longer gives, writes the values that are valid,
 * then gives roles. Adds a note for each part that can't be written, and writes the rest. Throws AppError if nothing
 * can be written (docs/rules/providers.md#synchronization).
 */
export async function writePerson(tx: Transaction, ctx: Ctx, input: SyncPerson, rules: WriteRules): Promise<Written> {
  const row = withoutLosses(input, rules)
  const { externalId } = row
  // before every other lock of the transaction: calls that give roles or change contacts lock in the same order
  await lockAdministrators(tx)
  await holdUniqueness(tx)
  await lockPerson(tx, rules.providerId, externalId)
  const accountId = await selectAccountId(tx, rules.providerId, externalId)
  const notes: Note[] = []
  if (row.rolesUnread.length > 0) notes.push({ code: 'syncRolesUnread', params: { fieldCode: rolesCode } })
  if (!accountId) {
    if (await isLinked(tx, rules.providerId, externalId)) throw new AppError(409, 'syncLinked')
    const checked = rules.check(row, null)
    notes.push(...notesOf(checked.notes))
    const origin = { externalId, providerId: rules.providerId, proven: row.proven }
    const exchange = valueExchange(ctx, null, rules)
    const stored = await storeFitting(tx, checked.change, {
      self: null,
      store: (inner, change) => createIn(inner, ctx, change, origin),
      makeWay: exchange.makeWay,
      // an account isn't created without an identifier
      needed: identifierKinds,
    })
    const { done: userId } = stored
    const moves = exchange.of(stored.change)
    notes.push(...stored.notes)
    const roleChanges = await rolesToChange(tx, userId, row, rules)
    const takenRoles = await changeRoles(tx, ctx, userId, 'take', roleChanges.take)
    const givenRoles = await changeRoles(tx, ctx, userId, 'give', roleChanges.give)
    notes.push(...[...takenRoles.refused, ...givenRoles.refused].map((error) => noteOf(error, rolesCode)))
    const after = [...moves.after, ...takenRoles.after, ...givenRoles.after]
    return { action: 'created', userId, changed: [], notes, after, moved: moves.moved }
  }
  const account = await lockWithin(tx, ctx, accountId, rules)
  const roleChanges = await rolesToChange(tx, accountId, row, rules)
  const takenRoles = await changeRoles(tx, ctx, accountId, 'take', roleChanges.take)
  const checked = rules.check(row, account)
  notes.push(...notesOf(checked.notes))
  const comesBack = !account.enabled && account.disabledByProvider
  const options = {
    columns: comesBack ? { enabled: true, disabledByProvider: false } : {},
    recorded: (current: Account) => (comesBack ? { enabled: current.enabled } : {}),
    silent: true,
  }
  const store = async (inner: Transaction, change: UserChange) => {
    const write = () => changeIn(inner, ctx, account, change, options)
    return changesContact(account, change) ? keepingSignInOf(inner, accountId, write) : write()
  }
  // a field whose value moved to another person isn't written again
  const remaining = withoutFields(checked.change, row.moved)
  const after: unknown[] = [...takenRoles.after]
  const changed: string[] = [...row.moved]
  const moved: Written['moved'] = []
  try {
    const exchange = valueExchange(ctx, account, rules)
    const stored = await storeFitting(tx, remaining, { self: account, store, makeWay: exchange.makeWay })
    const moves = exchange.of(stored.change)
    after.push(stored.done, ...moves.after)
    moved.push(...moves.moved)
    notes.push(...stored.notes)
    changed.push(...changedFields(stored.change, account))
  } catch (error) {
    // the roles that were taken stay taken
    if (!(error instanceof AppError) || !takenRoles.changed) throw error
    notes.push({ code: codeOf(error), params: {} })
  }
  await confirmProven(tx, ctx, accountId, row)
  const givenRoles = await changeRoles(tx, ctx, accountId, 'give', roleChanges.give)
  after.push(...givenRoles.after)
  notes.push(...[...takenRoles.refused, ...givenRoles.refused].map((error) => noteOf(error, rolesCode)))
  if (takenRoles.changed || givenRoles.changed) changed.push(rolesCode)
  const action = comesBack ? 'enabled' : changed.length > 0 ? 'changed' : 'same'
  return { action, userId: accountId, changed, notes, after, moved }
}
