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
import { newlyProven } from '../provider-sync/proven'
import { type MappedPerson, mapPerson, type SyncChecked, syncChecker } from '../provider-sync/values'
import type { Identity } from './identity'
import { holdEnabled, lockPerson, selectBaseMappers, selectKeptAccount, selectProvenAccount } from './queries'
import { ProviderRefused } from './refusal'
import { partsOfWhole } from './whole-name'

/** Codes of faults for an identifier that another account has. */
const takenCodes = ['errorUnique', 'errorEmailOfDirectory']

/** Returns faults as fields with codes, in the form that the sign-in log stores and shows in words. */
const reasonOf = (faults: readonly { field: unknown; code: string }[]): string =>
  faults.map(({ field, code }) => `${String(field).replace(/^values\./, '')} ${code}`).join(', ')

/** Returns why an account can't be created from the data of a provider. An unproven contact counts as not sent. */
function refusalOf(error: unknown, unproven: readonly string[]): unknown {
  if (!(error instanceof AppError) || (error.status !== 400 && error.status !== 409)) return error
  const isUnproven = (field: unknown) => unproven.includes(String(field).replace(/^values\./, ''))
  const faults = (error.data.errorList ?? []).map(({ field, code }) =>
    code === 'syncRequired' && isUnproven(field) ? { field, code: 'syncUnproven' } : { field, code },
  )
  const isTaken = error.status === 409 || faults.some(({ code }) => takenCodes.includes(code))
  return new ProviderRefused(isTaken ? 'taken' : 'data', reasonOf(faults))
}

/** The account of a person, and the fields that were left out, as the sign-in log stores them. */
export type ProviderAccount = { userId: string; omitted: string | null }

type ProviderMapping = {
  ctx: Ctx
  made: MappedPerson
  unproven: readonly string[]
  isNameGuess: boolean
  check: Awaited<ReturnType<typeof syncChecker>>
}

const omittedText = (notes: ReturnType<typeof notesOf>): string | null =>
  reasonOf(notes.map(({ code, params }) => ({ field: params.fieldCode, code }))) || null

/** Splits a whole name that is sent without its parts. */
function withParts(
  person: MappedPerson,
  { fields, attributes }: DirectoryPerson,
): { made: MappedPerson; isNameGuess: boolean } {
  const { fio, lastName, firstName, middleName } = person.values
  const isWhole = typeof fio === 'string' && fio === fields.name?.[0] && !lastName && !firstName && !middleName
  const split = isWhole ? partsOfWhole(fio, attributes?.locale?.[0]) : null
  if (!split) return { made: person, isNameGuess: false }
  return { made: { ...person, values: { ...person.values, ...split.parts } }, isNameGuess: split.isGuess }
}

/** Returns notes of what an administrator should check in the name of a new account. */
const doubtsOf = (name: string | undefined, isGuess: boolean): Note[] => {
  const code = name ? (isGuess ? 'syncNameOrder' : null) : 'syncNameless'
  return code ? [{ code, params: { fieldCode: 'fio' } }] : []
}

/** Reads the data of a person from a provider, and maps it. */
async function readMapping(ctx: Ctx, provider: ProviderRow, identity: Identity): Promise<ProviderMapping> {
  const [person, mappers, fields] = await Promise.all([
    identity.person(),
    selectBaseMappers(provider.id),
    peopleFields(),
  ])
  // the person who is signed in in this browser is not the author of the change
  const nobody: Ctx = { ...ctx, user: null, session: null }
  const mapped = mapPerson(person, { mappers, vouched: provider.enteredBy === null }, fields)
  return {
    ctx: nobody,
    ...withParts(mapped, person),
    unproven: person.unproven,
    check: await syncChecker(nobody),
  }
}

type KeptAccount = NonNullable<Awaited<ReturnType<typeof lockAccount>>>

/**
 * Returns the change without identifiers: codes go to contacts, and the sign-in has proven only that the provider knows
 * the person.
 */
function changeOf({ made, check }: ProviderMapping, account: KeptAccount): SyncChecked {
  const { change, notes } = check(made, account)
  return { change: withoutFields(change, identifierKinds), notes }
}

/**
 * Updates the account of a person who signs in again with the current data of the provider, except identifiers. The
 * person can sign in even if the provider doesn't send this data now.
 */
async function updateAccount(
  ctx: Ctx,
  provider: ProviderRow,
  identity: Identity,
  userId: string,
): Promise<ProviderAccount> {
  const account = await selectKeptAccount(db(), provider.id, userId)
  if (!account?.enabled) return { userId, omitted: null }
  let mapping: ProviderMapping
  try {
    mapping = await readMapping(ctx, provider, identity)
  } catch (error) {
    if (error instanceof ProviderRefused) return { userId, omitted: null }
    throw error
  }
  const checked = changeOf(mapping, account)
  const differs = changedFields(checked.change, account).length > 0 || newlyProven(account, mapping.made).length > 0
  if (!differs) return { userId, omitted: omittedText(notesOf(checked.notes)) }
  let omitted: string | null = null
  const after = await db().transaction(async (tx) => {
    await holdUniqueness(tx)
    await lockPerson(tx, provider.id, identity.subject)
    const locked = await lockAccount(tx, userId)
    if (!locked || locked.providerId !== provider.id) return undefined
    const { change, notes } = changeOf(mapping, locked)
    const options = { columns: {}, recorded: () => ({}), silent: true }
    const stored = await storeFitting(tx, change, {
      self: locked,
      store: (inner: Transaction, fitting) => changeIn(inner, mapping.ctx, locked, fitting, options),
    })
    for (const kind of newlyProven(locked, mapping.made)) await confirmMainContact(tx, userId, kind, ctx.now())
    omitted = omittedText([...notesOf(notes), ...stored.notes])
    return stored.done
  })
  await after?.()
  return { userId, omitted }
}

/**
 * Returns the account of a person whom a provider has proven: by the external id, never by e-mail. For a new person of
 * an OpenID provider it creates an account with the mapped fields and the role of `defaultUserRole`; invalid values are
 * left out unless the account needs them. Accounts of a directory are created only by its synchronization. Throws
 * ProviderRefused (docs/rules/providers.md#first-sign-in).
 */
export async function accountFor(ctx: Ctx, provider: ProviderRow, identity: Identity): Promise<ProviderAccount> {
  const { subject } = identity
  const accountId = await selectProvenAccount(db(), provider.id, subject)
  if (accountId && (await exceedsIdentityProvider(db(), accountId, provider.id)))
    throw new ProviderRefused('unvouched', '', accountId)
  if (accountId)
    return provider.type === 'oidc'
      ? updateAccount(ctx, provider, identity, accountId)
      : { userId: accountId, omitted: null }
  if (provider.type !== 'oidc') throw new ProviderRefused('stranger')
  const { ctx: nobody, made: person, unproven, isNameGuess, check } = await readMapping(ctx, provider, identity)
  try {
    return await db().transaction(async (tx) => {
      if (!(await holdEnabled(tx, provider.id))) throw new ProviderRefused('off')
      await holdUniqueness(tx)
      await lockPerson(tx, provider.id, subject)
      const createdMeanwhile = await selectProvenAccount(tx, provider.id, subject)
      if (createdMeanwhile) return { userId: createdMeanwhile, omitted: null }
      const checked = check(person, null)
      const origin = { externalId: subject, providerId: provider.id, proven: person.proven }
      const stored = await storeFitting(tx, checked.change, {
        self: null,
        store: (inner, change) => createIn(inner, nobody, change, origin),
        needed: identifierKinds,
      })
      const doubts = doubtsOf(checked.change.columns.fio, isNameGuess)
      return { userId: stored.done, omitted: omittedText([...notesOf(checked.notes), ...stored.notes, ...doubts]) }
    })
  } catch (error) {
    throw refusalOf(error, unproven)
  }
}
