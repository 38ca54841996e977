import { db, type Transaction } from '@/db/client'
import { exceedsIdentityProvider } from '@/db/prepared-accounts'
import { changeIn, createIn } from '@/lib/account-administration/accounts/write'
import { identifierKinds } from '@/lib/accounts/users/hand-over'
import { confirmMainContact } from '@/lib/accounts/users/own'
import { lockAccount } from '@/lib/accounts/users/personal'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError } from '@/lib/base/runtime/errors'
import { peopleFields } from '@/lib/fields/values/service'
import { holdUniqueness } from '@/lib/fields/values/unique'
import type { DirectoryPerson } from '@/lib/identity-providers/connections/directory'
import type { ProviderRow } from '@/lib/identity-providers/connections/service'
import { storeFitting, withoutFields } from '../provider-sync/fitting'
import type { Note } from '../provider-sync/options'
import { changedFields, notesOf } from '../provider-sync/outcome'
import { provenNow } from '../provider-sync/proven'
import { type Mapped, mapped, type SyncChecked, syncChecker } from '../provider-sync/values'
import type { Identity } from './identity'
import { holdEnabled, lockPerson, selectBaseMappers, selectKeptAccount, selectProvenAccount } from './queries'
import { ProviderRefused } from './refusal'
import { partsOfWhole } from './whole-name'

/** Codes of faults that say that somebody else has an identifier. */
const taken = ['errorUnique', 'errorEmailOfDirectory']

/** Names fields with what is wrong with each, as the sign-in log keeps it and tells it in words. */
const reasonOf = (faults: readonly { field: unknown; code: string }[]): string =>
  faults.map(({ field, code }) => `${String(field).replace(/^values\./, '')} ${code}`).join(', ')

/** Why an account can't be made of what a provider says. A contact that isn't proven is as if it weren't sent. */
function refusalOf(error: unknown, unproven: readonly string[]): unknown {
  if (!(error instanceof AppError) || (error.status !== 400 && error.status !== 409)) return error
  const isUnproven = (field: unknown) => unproven.includes(String(field).replace(/^values\./, ''))
  const faults = (error.data.errorList ?? []).map(({ field, code }) =>
    code === 'syncRequired' && isUnproven(field) ? { field, code: 'syncUnproven' } : { field, code },
  )
  const known = error.status === 409 || faults.some(({ code }) => taken.includes(code))
  return new ProviderRefused(known ? 'taken' : 'data', reasonOf(faults))
}

/** Whose account it is, and what of the person was left out of it, as the sign-in log keeps it. */
export type Found = { userId: string; left: string | null }

type Means = {
  ctx: Ctx
  made: Mapped
  unproven: readonly string[]
  isNameGuess: boolean
  check: Awaited<ReturnType<typeof syncChecker>>
}

const leftOf = (notes: ReturnType<typeof notesOf>): string | null =>
  reasonOf(notes.map(({ code, params }) => ({ field: params.fieldCode, code }))) || null

/** Parts a whole name that comes without parts of its own. */
function withParts(made: Mapped, { fields, attributes }: DirectoryPerson): { made: Mapped; isNameGuess: boolean } {
  const { fio, lastName, firstName, middleName } = made.values
  const isWhole = typeof fio === 'string' && fio === fields.name?.[0] && !lastName && !firstName && !middleName
  const found = isWhole ? partsOfWhole(fio, attributes?.locale?.[0]) : null
  if (!found) return { made, isNameGuess: false }
  return { made: { ...made, values: { ...made.values, ...found.parts } }, isNameGuess: found.isGuess }
}

/** What an administrator should look at in the name of a new account. */
const doubtsOf = (name: string | undefined, isGuess: boolean): Note[] => {
  const code = name ? (isGuess ? 'syncNameOrder' : null) : 'syncNameless'
  return code ? [{ code, params: { fieldCode: 'fio' } }] : []
}

/** Reads what a provider says of somebody, as its mappers make it. */
async function meansOf(ctx: Ctx, provider: ProviderRow, identity: Identity): Promise<Means> {
  const [person, mappers, fields] = await Promise.all([
    identity.person(),
    selectBaseMappers(provider.id),
    peopleFields(),
  ])
  // whoever is signed in in this browser has nothing to do with it
  const nobody: Ctx = { ...ctx, user: null, session: null }
  const made = mapped(person, { mappers, vouched: provider.enteredBy === null }, fields)
  return {
    ctx: nobody,
    ...withParts(made, person),
    unproven: person.unproven,
    check: await syncChecker(nobody),
  }
}

type KeptAccount = NonNullable<Awaited<ReturnType<typeof lockAccount>>>

/** Codes may go to contacts, and nobody has proven more here yet than that the provider knows them: these stay. */
function changeOf({ made, check }: Means, account: KeptAccount): SyncChecked {
  const { change, notes } = check(made, account)
  return { change: withoutFields(change, identifierKinds), notes }
}

/**
 * Brings the account of somebody who comes again to what the provider says now: fields but for what they sign in with and
 * are reached at. A provider that doesn't say it now keeps nobody out.
 */
async function follow(ctx: Ctx, provider: ProviderRow, identity: Identity, userId: string): Promise<Found> {
  const account = await selectKeptAccount(db(), provider.id, userId)
  if (!account?.enabled) return { userId, left: null }
  let means: Means
  try {
    means = await meansOf(ctx, provider, identity)
  } catch (error) {
    if (error instanceof ProviderRefused) return { userId, left: null }
    throw error
  }
  const first = changeOf(means, account)
  const differs = changedFields(first.change, account).length > 0 || provenNow(account, means.made).length > 0
  if (!differs) return { userId, left: leftOf(notesOf(first.notes)) }
  let left: string | null = null
  const after = await db().transaction(async (tx) => {
    await holdUniqueness(tx)
    await lockPerson(tx, provider.id, identity.subject)
    const locked = await lockAccount(tx, userId)
    if (!locked || locked.providerId !== provider.id) return undefined
    const { change, notes } = changeOf(means, locked)
    const more = { columns: {}, recorded: () => ({}), silent: true }
    const stored = await storeFitting(tx, change, {
      self: locked,
      store: (inner: Transaction, fitting) => changeIn(inner, means.ctx, locked, fitting, more),
    })
    for (const kind of provenNow(locked, means.made)) await confirmMainContact(tx, userId, kind, ctx.now())
    left = leftOf([...notesOf(notes), ...stored.notes])
    return stored.done
  })
  await after?.()
  return { userId, left }
}

/**
 * Returns the account of somebody whom a provider has proven: by the external id, never by e-mail. Who has none gets one
 * from an OpenID provider, with what its mappers fill and the role of `defaultUserRole`; what doesn't fit is left out
 * unless the account needs it. People of a directory come by its synchronization alone. Throws ProviderRefused
 * (docs/rules/providers.md#first-sign-in).
 */
export async function accountFor(ctx: Ctx, provider: ProviderRow, identity: Identity): Promise<Found> {
  const { subject } = identity
  const known = await selectProvenAccount(db(), provider.id, subject)
  if (known && (await exceedsIdentityProvider(db(), known, provider.id)))
    throw new ProviderRefused('unvouched', '', known)
  if (known) return provider.type === 'oidc' ? follow(ctx, provider, identity, known) : { userId: known, left: null }
  if (provider.type !== 'oidc') throw new ProviderRefused('stranger')
  const { ctx: nobody, made, unproven, isNameGuess, check } = await meansOf(ctx, provider, identity)
  try {
    return await db().transaction(async (tx) => {
      if (!(await holdEnabled(tx, provider.id))) throw new ProviderRefused('off')
      await holdUniqueness(tx)
      await lockPerson(tx, provider.id, subject)
      const meanwhile = await selectProvenAccount(tx, provider.id, subject)
      if (meanwhile) return { userId: meanwhile, left: null }
      const checked = check(made, null)
      const origin = { externalId: subject, providerId: provider.id, proven: made.proven }
      const stored = await storeFitting(tx, checked.change, {
        self: null,
        store: (inner, change) => createIn(inner, nobody, change, origin),
        needed: identifierKinds,
      })
      const doubts = doubtsOf(checked.change.columns.fio, isNameGuess)
      return { userId: stored.done, left: leftOf([...notesOf(checked.notes), ...stored.notes, ...doubts]) }
    })
  } catch (error) {
    throw refusalOf(error, unproven)
  }
}
