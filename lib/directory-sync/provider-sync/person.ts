import type { Transaction } from '@/db/client'
import { keepingAdministrator, keepingSignInOf, lockAdministrators } from '@/lib/access/rights/administrators'
import { type Account, changeIn, changesContact, createIn } from '@/lib/account-administration/accounts/write'
import { auditedRolesOf, exchangeRolesIn, type PlacedRole } from '@/lib/accounts/role-holders/of-person'
import type { UserChange } from '@/lib/accounts/user-table/fields'
import { identifierKinds } from '@/lib/accounts/users/hand-over'
import { confirmMainContact } from '@/lib/accounts/users/own'
import { lockAccount } from '@/lib/accounts/users/personal'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { holdUniqueness } from '@/lib/fields/values/unique'
import { attempted, storeFitting, withoutFields } from './fitting'
import { makeWay } from './make-way'
import { type Loss, type Note, rolesCode, type SyncPerson } from './options'
import { changedFields, type Done, notesOf } from './outcome'
import { provenNow } from './proven'
import { isLinked, lockPerson, selectAccountId } from './queries'
import type { SyncCheck } from './values'
import { lockWithin, type Source } from './within'

const platformWide = (roleId: string): PlacedRole => ({ roleId, organizationId: null, contractorId: null })

/** How the people of a run are written. */
export type How = Source & {
  runId: string
  check: SyncCheck
  /** Roles that mappers give: those of others are none of the directory's business. */
  managed: ReadonlySet<string>
  /** What people must not lose, as somebody has decided. */
  kept: readonly Loss[]
}

/** What of a person was done; `moved` are the rows of others that gave up a value of a field. */
export type Written = Done & { moved: { row: number; code: string }[] }

/** The code of a refusal: that of its faulty field, if it names one. */
const codeOf = ({ code, data }: AppError): string => data.errorList?.[0]?.code ?? code
const noteOf = (error: AppError, fieldCode: string): Note => ({ code: codeOf(error), params: { fieldCode } })

/** Gives roles, or takes them: all together or, if one is refused, each alone, so that it holds no other back. */
async function exchange(tx: Transaction, ctx: Ctx, userId: string, side: 'give' | 'take', ids: readonly string[]) {
  const after: unknown[] = []
  const refused: AppError[] = []
  const none = { give: [], take: [] }
  const run = (roles: readonly string[]) =>
    attempted(tx, (inner) =>
      keepingAdministrator(inner, () =>
        exchangeRolesIn(inner, ctx, userId, { ...none, [side]: roles.map(platformWide) }),
      ),
    )
  if (ids.length === 0) return { after, refused, changed: false }
  const together = await run(ids)
  if (!(together instanceof AppError)) return { after: [together], refused, changed: true }
  for (const id of ids) {
    const done = ids.length > 1 ? await run([id]) : together
    if (done instanceof AppError) refused.push(done)
    else after.push(done)
  }
  return { after, refused, changed: after.length > 0 }
}

/** Which roles of a person the directory gives and takes; one of which it says nothing that can be read stays. */
async function rolesDue(tx: Transaction, userId: string, row: SyncPerson, { managed, kept }: How) {
  if (managed.size === 0) return { give: [], take: [] }
  const { roles } = await auditedRolesOf(tx, userId)
  const wanted = row.roles.filter((id) => managed.has(id))
  const stay = kept.some(({ code }) => code === rolesCode)
  return {
    give: wanted.filter((id) => !roles.includes(id)),
    take: stay ? [] : roles.filter((id) => managed.has(id) && !wanted.includes(id) && !row.rolesUnread.includes(id)),
  }
}

/** Notes which contacts the directory has proven, if the account has them now. */
async function prove(tx: Transaction, ctx: Ctx, userId: string, row: SyncPerson): Promise<void> {
  const account = row.proven.length > 0 ? await lockAccount(tx, userId) : undefined
  for (const kind of account ? provenNow(account, row) : []) await confirmMainContact(tx, userId, kind, ctx.now())
}

/** The row without the losses that somebody has decided against. */
const withoutLosses = (row: SyncPerson, { kept }: How): SyncPerson => {
  const stays = (code: string, value: unknown) => value === null && kept.some((loss) => loss.code === code)
  const values = Object.entries(row.values).filter(([code, value]) => !stays(code, value))
  return { ...row, values: Object.fromEntries(values) }
}

/** Lets somebody have values that others give up in this run. `moved` and `after` are of what has come of it. */
function waysFor(ctx: Ctx, self: Account | null, how: How) {
  const made = new Map<string, { rows: number[]; after: unknown[] }>()
  return {
    makeWay: async (inner: Transaction, code: string, wanted: UserChange) => {
      const found = await attempted(inner, (deeper) => makeWay(deeper, ctx, { code, wanted, self }, how))
      made.delete(code)
      if (!found || found instanceof AppError) return false
      made.set(code, found)
      return true
    },
    /** Of the fields that were stored in the end. */
    of: ({ columns, dynamic }: UserChange) => {
      const stored = [...made].filter(([code]) => Object.hasOwn(columns, code) || Object.hasOwn(dynamic, code))
      return {
        moved: stored.flatMap(([code, { rows }]) => rows.map((row) => ({ row, code }))),
        after: stored.flatMap(([, { after }]) => after),
      }
    },
  }
}

/**
 * Writes a person of a directory: first takes the roles that they have no longer, then writes what of their values fits,
 * then gives roles; what can't be written is noted and holds nothing else back. Throws AppError if nothing of them can be
 * (docs/rules/providers.md#synchronization).
 */
export async function writePerson(tx: Transaction, ctx: Ctx, given: SyncPerson, how: How): Promise<Written> {
  const row = withoutLosses(given, how)
  const { externalId } = row
  // before every other lock of the transaction, as calls that give roles or change contacts take it
  await lockAdministrators(tx)
  await holdUniqueness(tx)
  await lockPerson(tx, how.providerId, externalId)
  const foundId = await selectAccountId(tx, how.providerId, externalId)
  const notes: Note[] = []
  if (row.rolesUnread.length > 0) notes.push({ code: 'syncRolesUnread', params: { fieldCode: rolesCode } })
  if (!foundId) {
    if (await isLinked(tx, how.providerId, externalId)) throw new AppError(409, 'syncLinked')
    const checked = how.check(row, null)
    notes.push(...notesOf(checked.notes))
    const origin = { externalId, providerId: how.providerId, proven: row.proven }
    const ways = waysFor(ctx, null, how)
    const stored = await storeFitting(tx, checked.change, {
      self: null,
      store: (inner, change) => createIn(inner, ctx, change, origin),
      makeWay: ways.makeWay,
      // nobody gets an account with less than what names them
      needed: identifierKinds,
    })
    const { done: userId } = stored
    const others = ways.of(stored.change)
    notes.push(...stored.notes)
    const due = await rolesDue(tx, userId, row, how)
    const taken = await exchange(tx, ctx, userId, 'take', due.take)
    const gets = await exchange(tx, ctx, userId, 'give', due.give)
    notes.push(...[...taken.refused, ...gets.refused].map((error) => noteOf(error, rolesCode)))
    const after = [...others.after, ...taken.after, ...gets.after]
    return { action: 'created', userId, changed: [], notes, after, moved: others.moved }
  }
  const account = await lockWithin(tx, ctx, foundId, how)
  const due = await rolesDue(tx, foundId, row, how)
  const taken = await exchange(tx, ctx, foundId, 'take', due.take)
  const checked = how.check(row, account)
  notes.push(...notesOf(checked.notes))
  const back = !account.enabled && account.disabledByProvider
  const more = {
    columns: back ? { enabled: true, disabledByProvider: false } : {},
    recorded: (of: Account) => (back ? { enabled: of.enabled } : {}),
    silent: true,
  }
  const store = async (inner: Transaction, change: UserChange) => {
    const write = () => changeIn(inner, ctx, account, change, more)
    return changesContact(account, change) ? keepingSignInOf(inner, foundId, write) : write()
  }
  // what another person has taken over in a trial is still theirs
  const mine = withoutFields(checked.change, row.moved)
  const after: unknown[] = [...taken.after]
  const changed: string[] = [...row.moved]
  const moved: Written['moved'] = []
  try {
    const ways = waysFor(ctx, account, how)
    const stored = await storeFitting(tx, mine, { self: account, store, makeWay: ways.makeWay })
    const others = ways.of(stored.change)
    after.push(stored.done, ...others.after)
    moved.push(...others.moved)
    notes.push(...stored.notes)
    changed.push(...changedFields(stored.change, account))
  } catch (error) {
    // what was taken stays so
    if (!(error instanceof AppError) || !taken.changed) throw error
    notes.push({ code: codeOf(error), params: {} })
  }
  await prove(tx, ctx, foundId, row)
  const gets = await exchange(tx, ctx, foundId, 'give', due.give)
  after.push(...gets.after)
  notes.push(...[...taken.refused, ...gets.refused].map((error) => noteOf(error, rolesCode)))
  if (taken.changed || gets.changed) changed.push(rolesCode)
  const action = back ? 'enabled' : changed.length > 0 ? 'changed' : 'same'
  return { action, userId: foundId, changed, notes, after, moved }
}
